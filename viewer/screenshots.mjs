// Makes the pictures of docs/page.md, from real pages: node screenshots.mjs ORDEAL (the command)
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const command = resolve(process.argv[2]);
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = mkdtempSync(join(tmpdir(), "ordeal-pictures-"));
const context = await chromium.launchPersistentContext(join(folder, "profile"), { executablePath: "/usr/bin/chromium", viewport: { width: 1380, height: 860 },
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"] });

async function picture(name, program, colorScheme, act) {
  const file = join(folder, `${name}.html`);
  const replay = `ordeal-${name}.replay`;
  spawnSync(command, ["check", program, "--quiet", "--output", replay, "--html", file], { cwd: root, stdio: "inherit" });
  rmSync(join(root, replay), { force: true });
  const page = await context.newPage();
  await page.emulateMedia({ colorScheme });
  await page.goto(pathToFileURL(file).href);
  await act(page);
  await page.evaluate(() => document.activeElement?.blur());
  await page.mouse.move(0, 0);
  await page.screenshot({ path: join(root, `docs/images/page-${name}.png`) });
  await page.close();
}

const edges = async (page, ...kinds) => {
  for (const kind of kinds) await page.locator(`.edge-switch.${kind} input`).check();
};
await picture("dekker", "examples/check/dekker_bug.cpp", "light", async (page) => {
  await edges(page, "fr", "sw");
  await page.keyboard.press("s");
});
await picture("dark", "benchmarks/programs/seqlock-bug.cpp", "dark", async (page) => {
  await edges(page, "mo");
  await page.keyboard.press("s");
});
await context.close();
rmSync(folder, { recursive: true, force: true });
