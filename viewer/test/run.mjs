// Bundles the tests and runs them: node test/run.mjs. Environment: ORDEAL_PAGE (the template; default: built anew),
// ORDEAL (the command, for pages of real bugs; default: these tests are left out), ORDEAL_SCREENSHOTS (a folder).
import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, "../dist");
if (process.env.ORDEAL_PAGE === undefined) {
  process.env.ORDEAL_PAGE = join(dist, "page.html");
  execFileSync(process.execPath, [join(here, "../build.mjs"), process.env.ORDEAL_PAGE], { stdio: "inherit" });
}
process.env.ORDEAL_VIEWER = dirname(here);
process.env.ORDEAL_SCREENSHOTS ??= join(dist, "screenshots");

const output = join(dist, `test-${process.pid}`); // below viewer/, so that imports find node_modules
const tests = readdirSync(here).filter((name) => name.endsWith(".test.ts"));
await build({ entryPoints: tests.map((name) => join(here, name)), outdir: output, outExtension: { ".js": ".mjs" }, bundle: true, platform: "node", format: "esm", packages: "external", sourcemap: "inline", logLevel: "warning" });
const run = spawnSync(process.execPath, ["--enable-source-maps", "--test", ...tests.map((name) => join(output, name.replace(/\.ts$/, ".mjs")))], { stdio: "inherit" });
rmSync(output, { recursive: true, force: true });
process.exit(run.status ?? 1);
