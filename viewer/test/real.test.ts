// Pages of real bugs (bugs.txt), made by the command: `ordeal check PROGRAM --html`.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import type { PageData } from "../src/data";
import { folder, screenshot, startBrowser, stopBrowser, withFile } from "./browser";

const command = process.env["ORDEAL"];
const root = dirname(process.env["ORDEAL_VIEWER"]!);
const skip = command === undefined ? "ORDEAL is not set" : false;

before(startBrowser);
after(stopBrowser);

/// Runs the command; gives what it printed.
function ordeal(code: number, ...words: string[]): string {
  const run = spawnSync(command!, words, { cwd: root, encoding: "utf8", env: { ...process.env, NO_COLOR: "1" } });
  assert.equal(run.status, code, run.stderr);
  return run.stdout;
}

function check(program: string): { file: string; text: string; data: PageData } {
  const file = join(folder, `${basename(program)}.html`);
  const text = ordeal(1, "check", "--full", program, "--output", join(folder, `${basename(program)}.replay`), "--html", file);
  const data = /id="ordeal-data">([^<]*)</.exec(readFileSync(file, "utf8"))![1]!;
  return { file, text, data: JSON.parse(data) as PageData };
}

/// The letters of the rows in the terminal's table.
function lettersOf(text: string): string[] {
  return [...text.matchAll(/^[> ] {0,3}([a-z]\d*)  /gm)].map((match) => match[1]!);
}

async function open(page: Page, letter: string): Promise<void> {
  await page.locator(".row", { has: page.locator(`.letter:text-is("${letter}")`) }).first().locator(".box").click();
}

/// The current line at each step from the first, 0: none.
function steppedLines(page: Page, count: number): Promise<number[]> {
  return page.evaluate((steps) => {
    const lines: number[] = [];
    for (let i = 0; i < steps; ++i) {
      lines.push(Number(document.querySelector(".line.now .number")?.textContent ?? 0));
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true }));
    }
    return lines;
  }, count);
}

interface Expected {
  program: string;
  kind: string;
  named: string;
  lines: string[];
  cause: string;
}

function expectedBugs(): Expected[] {
  const lines = readFileSync(join(root, "viewer/test/bugs.txt"), "utf8").split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return lines.map((line) => {
    const [program, kind, named, places, cause] = line.split("|").map((part) => part.trim());
    return { program: program!, kind: kind!, named: named!, lines: places!.split("&").map((part) => part.trim()), cause: cause! };
  });
}

/// The text of the line that a row stands at.
function sourceOf(data: PageData, row: PageData["executions"][number]["rows"][number]): string {
  const piece = data.files[row.file!]!.pieces.find(({ first, lines }) => row.line! >= first && row.line! < first + lines.length);
  return piece!.lines[row.line! - piece!.first]!;
}

/// The right variable, lines and cause, in the terminal and on the page.
function judge({ kind, named, lines, cause }: Expected, text: string, data: PageData): void {
  const bug = data.executions[0]!;
  const words = text.replace(/\s+/g, " ");
  assert.equal(bug.kind, kind);
  assert.ok(bug.title.includes(named), bug.title);
  assert.ok(words.startsWith(bug.title), "the same headline in the terminal");
  const marked = bug.rows.filter((row) => row.marked === true).map((row) => sourceOf(data, row));
  for (const line of marked) assert.ok(lines.some((wanted) => line.includes(wanted)), `not what the bug is about: ${line}`);
  for (const wanted of lines) assert.ok(marked.some((line) => line.includes(wanted)), `not marked: ${wanted}`);
  if (cause.startsWith("surprise ")) assert.ok(bug.rows.some((row) => row.skipped !== undefined && row.variable!.startsWith(cause.slice(9))), cause);
  else {
    assert.match(bug.why.join(" "), new RegExp(cause));
    assert.match(words, new RegExp(cause));
  }
}

for (const expected of skip ? [] : expectedBugs())
  test(`${expected.program}: what, where and why; the same rows as in the terminal, every step has its line`, () => {
    const { file, text, data } = check(expected.program);
    judge(expected, text, data);
    return withFile(file, async (page) => {
      const asides = page.getByLabel(/^all events/);
      if ((await asides.count()) > 0) await asides.check();
      const letters = await page.locator(".row:not(.extra) .letter").allTextContents();
      assert.ok(letters.length > 0);
      assert.deepEqual(letters, lettersOf(text));
      const { rows } = data.executions[0]!;
      assert.deepEqual(await steppedLines(page, rows.length), rows.map((row) => row.line ?? 0));
      assert.ok(data.files.every((source) => source.remark === "" && source.pieces.length > 0), "the source");
      await screenshot(page, basename(expected.program).replace(/\..*/, ""));
    });
  });

test("message_bug: the load could also have read the initial value, and sw does not join the two threads", { skip }, () => {
  const { file, data } = check("examples/check/message_bug.cpp");
  const { rows, edges } = data.executions[0]!;
  return withFile(file, async (page) => {
    await open(page, "e");
    assert.deepEqual(await page.locator(".stores.could .value").allTextContents(), ["false", "true"]);
    assert.equal(edges.sw.some(([from, to]) => rows[from]!.thread === 1 && rows[to]!.thread === 2), false);
    // Neither access is ordered with the other.
    await page.locator(".row.marked .box").first().click();
    await page.locator(".edge-switch.hb input").check();
    assert.match((await page.locator(".row.marked").nth(1).getAttribute("class"))!, /unordered/);
  });
});

test("dekker_bug: the surprising read is marked with what it would have read", { skip }, () => {
  const { file, data } = check("examples/check/dekker_bug.cpp");
  const { rows, order } = data.executions[0]!;
  const surprising = rows.filter((row) => row.skipped !== undefined);
  assert.equal(order, "weak");
  assert.ok(surprising.length > 0);
  for (const row of surprising) {
    assert.equal(rows[row.skipped!]!.variable, row.variable);
    assert.deepEqual(row.stores!.find((store) => store.row === row.skipped)?.can, true, "it could have read that");
  }
  return withFile(file, async (page) => {
    await page.keyboard.press("s");
    assert.match(await page.locator(".surprise-note").innerText(), /would have read/);
    for (const kind of ["mo", "fr", "sw"]) await page.locator(`.edge-switch.${kind} input`).setChecked(true, { force: true }).catch(() => undefined);
    await screenshot(page, "dekker-edges");
  });
});

test("litmus: each execution of store buffering, with the lines of the test", { skip }, () => {
  const file = join(folder, "litmus.html");
  ordeal(0, "litmus", "examples/litmus/01-SB.litmus", "--html", file);
  return withFile(file, async (page) => {
    assert.equal(await page.locator("#execution option").count(), 4);
    assert.equal(await page.locator("h1").innerText(), "Class 1 of SB");
    assert.deepEqual(await page.locator(".thread").allTextContents(), ["P0", "P1"]);
    const line = await page.locator(".line.now .text").innerText();
    assert.match(line, /atomic_store_explicit/);
    await screenshot(page, "litmus");
  });
});

test("a thousand events of a real program", { skip }, () => {
  const file = join(folder, "long.html");
  ordeal(1, "check", "viewer/test/long.cpp", "--output", join(folder, "long.replay"), "--html", file);
  return withFile(file, async (page) => {
    assert.ok((await page.locator(".row").count()) > 900);
    await page.keyboard.press("b");
    assert.match((await page.locator(".row.current").getAttribute("class"))!, /marked/);
    await page.locator("#variable").selectOption("slots[2]");
    const rows = await page.locator(".row").count();
    assert.ok(rows > 50 && rows < 300, `${rows} events of one variable`);
    await page.locator("#variable").selectOption("");
    await page.keyboard.press("End");
    await screenshot(page, "long-real");
    await page.locator(".row.rmw .box").last().click();
    assert.ok((await page.locator(".stores li").count()) > 1);
    for (const kind of ["mo", "fr", "sw"]) await page.locator(`.edge-switch.${kind} input`).check();
    await screenshot(page, "long-real-load");
  });
});
