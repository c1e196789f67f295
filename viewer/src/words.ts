// How rows are told, on the screen and by a screen reader.
import { kInitial, type Execution, type Row, type RowData } from "./data";

const kShort: Record<string, string> = { relaxed: "rlx", acquire: "acq", release: "rel", acq_rel: "acq_rel", seq_cst: "sc" };

/// As in the terminal: "rlx".
export function shortOrder(order: string): string {
  return kShort[order] ?? order;
}

/// "sent = true", or the whole text where there is no value.
export function operation(row: RowData): string {
  if (row.variable === undefined || row.value === undefined) return row.text;
  return row.kind === "store" ? `${row.variable} = ${row.value}` : `${row.variable}: ${row.value}`;
}

/// "c", "the initial value"; rows without a letter by what they do.
export function rowName(execution: Execution, row: Row): string {
  if (row === kInitial) return "init";
  const data = execution.rows[row];
  return data === undefined ? "?" : data.letter === "" ? data.text : data.letter;
}

export function threadName(execution: Execution, row: RowData): string {
  return execution.threads[row.thread] ?? "a thread";
}

/// A sentence for a screen reader.
export function spoken(execution: Execution, index: Row): string {
  const row = execution.rows[index];
  if (row === undefined) return "";
  const parts = [`${row.letter === "" ? "" : `${row.letter}, `}${threadName(execution, row)}`];
  if (row.variable !== undefined && row.value !== undefined) {
    parts.push(`${row.kind} ${operation(row)}`);
    if (row.order !== undefined) parts.push(row.order);
    if (row.from !== undefined) parts.push(`from ${rowName(execution, row.from)}`);
  } else {
    parts.push(row.text);
  }
  if (row.skipped !== undefined) parts.push(`surprising: it would have read ${rowName(execution, row.skipped)}`);
  if (row.marked === true) parts.push("part of the bug");
  if (row.place !== undefined) parts.push(`at ${row.place}`);
  return parts.join(", ");
}
