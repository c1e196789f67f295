// The data of a page, as src/report/page.cpp writes it. README.md says what changes the version.

export const kVersion = 1;

/// Indices into the rows of an execution.
export type Row = number;
export const kInitial: Row = -1; // the initial value of a location: no row

export interface PageData {
  version: number;
  tool: string; // "ordeal 0.1.0"
  program: string; // as the user calls it
  model: string; // of memory: "cpp20"
  verdict: string; // "bug", "verified", "sampled", "bounded", "cannot-check"
  summary: string[]; // the last lines of the report in the terminal
  executions: Execution[];
  files: SourceFile[];
}

export interface Execution {
  title: string; // the headline of the bug, or "execution 3"
  kind: string; // "data-race"; empty: no bug
  why: string[]; // sentences
  replay: string; // a command; empty: there is none
  order: "interleaving" | "weak" | "any"; // of the rows: an interleaving; none is one; not known
  output: string; // what the program had printed
  threads: string[];
  rows: RowData[]; // in the order that is shown
  edges: Edges;
  remarks: string[]; // what was left out, or is not known
}

export interface RowData {
  letter: string; // "a", "b", … as in the terminal; empty: no event of the execution (a plain access, a thread that waits)
  thread: number;
  kind: string; // "load", "store", "rmw", "fence", "create", "join", …; empty for rows that are no event
  text: string; // as in the terminal, with everything
  variable?: string;
  value?: string; // of an access to memory; of a read-modify-write "1 → 2"
  order?: string; // "relaxed" … "seq_cst", left out if plain
  place?: string; // "queue.cpp:41"
  file?: number; // index of files
  line?: number;
  function?: string;
  calls?: string[]; // "push  queue.cpp:41": callers, from the inside out
  marked?: boolean; // it takes part in the bug
  aside?: boolean; // of a thread alone with memory of its own: rarely matters
  from?: Row; // of a read: the row of the store, or kInitial
  skipped?: Row; // of a surprising read: what it would have read if memory were not weak
  stores?: Candidate[]; // of a read: the stores of its variable, first those that it could have read
  moreStores?: number; // so many more are not on the page
}

/// A store that a read could have read, or could not.
export interface Candidate {
  row: Row;
  value: string;
  can: boolean;
  why: string; // why not; or what speaks for it; may be empty
}

export type Pair = [from: Row, to: Row];

/// po follows from the rows. Of mo, fr and hb only the pairs from which the others follow.
export interface Edges {
  rf: Pair[];
  mo: Pair[]; // forced by what was read, and by happens-before
  moChosen: Pair[]; // one order of those that are possible
  fr: Pair[];
  sw: Pair[];
  hb: Pair[];
}

export interface SourceFile {
  name: string;
  pieces: SourcePiece[];
  remark: string; // "is not there", "is newer than the program"; empty: nothing to say
}

export interface SourcePiece {
  first: number; // the number of its first line
  lines: string[];
}

/// The data in the page. Throws an Error with what to tell the user.
export function readData(text: string | null): PageData {
  if (text === null || text.trim() === "") throw new Error("This page has no data: it is the empty template that ordeal fills.");
  let data: PageData;
  try {
    data = JSON.parse(text) as PageData;
  } catch {
    throw new Error("The data of this page is damaged. Make it again with ordeal report FILE --html PAGE.");
  }
  if (data.version !== kVersion)
    throw new Error(`The data of this page has version ${data.version}, and its viewer reads version ${kVersion}.`);
  if (data.executions.length === 0) throw new Error("This page has no execution.");
  return data;
}
