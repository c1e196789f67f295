// A headless Chromium of the system, and pages in it. Whatever a page logs as an error, throws or asks the network for fails its test.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium, type BrowserContext, type Page } from "playwright-core";
import type { PageData } from "../src/data";

const template = readFileSync(process.env["ORDEAL_PAGE"]!, "utf8");
export const screenshots = process.env["ORDEAL_SCREENSHOTS"]!;
export const folder = mkdtempSync(join(tmpdir(), "ordeal-page-"));
mkdirSync(screenshots, { recursive: true });

let context: BrowserContext | undefined;

export async function startBrowser(): Promise<void> {
  const executablePath = execFileSync("sh", ["-c", "command -v chromium"], { encoding: "utf8" }).trim();
  context = await chromium.launchPersistentContext(join(folder, "profile"), {
    executablePath,
    headless: true,
    viewport: { width: 1440, height: 900 },
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
}

export async function stopBrowser(): Promise<void> {
  await context?.close();
  rmSync(folder, { recursive: true, force: true });
}

/// What src/report/page.cpp does with the template.
function filled(data: PageData): string {
  const json = JSON.stringify(data).replace(/[<>&\u2028\u2029]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const place = 'id="ordeal-data">';
  assert.equal(template.split(place).length, 2, "one place for the data");
  return template.replace(place, () => place + json);
}

export interface Opened {
  page: Page;
  errors: string[];
}

/// Opens a page, does things with it, expects that nothing went wrong, closes it.
export async function withFile(file: string, act: (page: Page) => Promise<void>): Promise<void> {
  const page = await context!.newPage();
  const errors: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") errors.push(message.text());
  });
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("dialog", (dialog) => {
    errors.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (request.url() !== pathToFileURL(file).href) errors.push(`asks for ${request.url()}`);
  });
  try {
    await page.goto(pathToFileURL(file).href);
    await act(page);
    assert.deepEqual(errors, []);
    await page.evaluate(() => localStorage.clear());
  } finally {
    await page.close();
  }
}

let count = 0;
export async function withPage(data: PageData, act: (page: Page) => Promise<void>): Promise<void> {
  const file = join(folder, `page-${++count}.html`);
  writeFileSync(file, filled(data));
  await withFile(file, act);
}

export async function screenshot(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(screenshots, `${name}.png`) });
}
