// Executions for the tests, made by hand.
import type { Edges, Execution, PageData, Pair, RowData } from "../src/data";

function edges(some: Partial<Edges>): Edges {
  return { rf: [], mo: [], moChosen: [], fr: [], sw: [], hb: [], ...some };
}

export function page(executions: Execution[], some: Partial<PageData> = {}): PageData {
  return { version: 1, tool: "ordeal 0.1.0", program: "examples/message.cpp", model: "cpp20", verdict: "bug", summary: ["bug: 1 bug in 2 executions of examples/message.cpp, model cpp20, in 368 µs"], executions, files: [source()], ...some };
}

function source(): PageData["files"][number] {
  const lines = Array.from({ length: 30 }, (_, i) => `line_${i + 10}();  // <b>${i + 10}</b>`);
  return { name: "examples/message.cpp", pieces: [{ first: 10, lines }], remark: "" };
}

function row(letter: string, thread: number, kind: string, text: string, line: number, some: Partial<RowData> = {}): RowData {
  return { letter, thread, kind, text, place: `message.cpp:${line}`, file: 0, line, function: "work", ...some };
}

/// Two writers of x, a reader that reads an old value, a race.
export function message(): Execution {
  const rows: RowData[] = [
    row("a", 0, "create", "create thread 1", 27),
    row("b", 0, "create", "create thread 2", 28),
    row("c", 1, "store", "x = 1 rlx", 16, { variable: "x", value: "1", order: "relaxed" }),
    row("d", 1, "store", "sent = true rel", 17, { variable: "sent", value: "true", order: "release" }),
    row("e", 0, "store", "x = 2 rlx", 29, { variable: "x", value: "2", order: "relaxed" }),
    row("f", 2, "load", "sent: true acq, from d", 21, { variable: "sent", value: "true", order: "acquire", from: 3,
      stores: [{ row: -1, value: "false", can: true, why: "" }, { row: 3, value: "true", can: true, why: "" }] }),
    row("g", 2, "load", "x: 1 rlx, from c (not e)", 22, { variable: "x", value: "1", order: "relaxed", from: 2, skipped: 4,
      stores: [{ row: -1, value: "0", can: false, why: "c overwrites it, and c happens before this load" }, { row: 2, value: "1", can: true, why: "" }, { row: 4, value: "2", can: true, why: "" }] }),
    { letter: "", thread: 2, kind: "", text: "reads message", place: "message.cpp:23", file: 0, line: 23, marked: true },
  ];
  return { title: "data race on 'message': thread 2 reads at message.cpp:23, thread 1 writes at message.cpp:15", kind: "data-race",
    why: ["thread 2 reads 'x' = 1 [g], not 2 [e]: nothing orders the two."], replay: "ordeal replay ordeal-message-data-race.replay", order: "weak", output: "hello <world>\n",
    threads: ["main", "thread 1", "thread 2"], rows, remarks: [],
    edges: edges({ rf: [[3, 5], [2, 6]], moChosen: [[2, 4]], fr: [[6, 4]], sw: [[0, 2], [1, 5], [3, 5]], hb: [[0, 2], [1, 5], [3, 5]] }) };
}

export function other(): Execution {
  return { ...message(), title: "assertion fails: r == 1", kind: "assertion", why: ["It takes no weak memory."], rows: message().rows.slice(0, 4), edges: edges({}), order: "interleaving", remarks: ["the first 4 of 8 events"] };
}

/// `count` events of `threads` threads, with all sorts of edges.
export function long(count: number, threads: number): Execution {
  const rows: RowData[] = [];
  const rf: Pair[] = [], mo: Pair[] = [], fr: Pair[] = [], sw: Pair[] = [], hb: Pair[] = [];
  const last = new Map<number, number>(); // store, by variable
  for (let i = 0; i < count; ++i) {
    const thread = (i * 7 + Math.floor(i / 13)) % threads;
    const variable = i % 11;
    const before = last.get(variable);
    const name = `${String.fromCharCode(97 + (i % 26))}${i < 26 ? "" : Math.floor(i / 26)}`;
    const line = 10 + (i % 30);
    if (i % 3 === 0 || before === undefined) {
      rows.push(row(name, thread, "store", `slots[${variable}].sequence = ${i} rel`, line, { variable: `slots[${variable}].sequence`, value: String(i), order: "release" }));
      if (before !== undefined) mo.push([before, i]);
      last.set(variable, i);
    } else {
      rows.push(row(name, thread, "load", `slots[${variable}].sequence: ${before} acq`, line, { variable: `slots[${variable}].sequence`, value: String(before), order: "acquire", from: before,
        stores: [{ row: before, value: String(before), can: true, why: "" }, { row: -1, value: "0", can: false, why: "an older store happens before this load" }] }));
      rf.push([before, i]);
      sw.push([before, i]);
      hb.push([before, i]);
    }
  }
  mo.forEach(([from, to]) => rf.filter(([store]) => store === from).forEach(([, load]) => load < to && fr.push([load, to])));
  return { ...message(), title: `a long execution: ${count} events`, rows, threads: Array.from({ length: threads }, (_, t) => (t === 0 ? "main" : `thread ${t}`)), edges: edges({ rf, mo, fr, sw, hb }) };
}

/// Names that would do harm if they were read as HTML, CSS or script.
export const kHostile = ["<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>", "\"'><svg/onload=alert(3)>", "<!--", "naïve→𝔘\u202e\u2028", "${alert(4)}", "&lt;b&gt;", "__proto__", "constructor"];

export function hostile(): PageData {
  const execution = message();
  execution.rows = kHostile.map((name, i) => ({ letter: String.fromCharCode(97 + i), thread: i % 3, kind: "load", text: `${name}: ${name}`, variable: name, value: name, order: "relaxed", place: name, file: 0, line: 10 + i, function: name, from: -1, calls: [name, name],
    stores: [{ row: -1, value: name, can: false, why: name }] }));
  Object.assign(execution, { title: kHostile.join(" "), kind: kHostile[0], why: [...kHostile], replay: kHostile[1], output: kHostile.join("\n"), threads: kHostile.slice(0, 3), remarks: [...kHostile], edges: edges({}) });
  return page([execution, execution], { program: kHostile[1]!, summary: [...kHostile], model: kHostile[0]!, files: [{ name: kHostile[0]!, pieces: [{ first: 10, lines: [...kHostile] }], remark: kHostile[1]! }] });
}
