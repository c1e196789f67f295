// Bundles src/ into one HTML file without data: node build.mjs OUTPUT
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const output = process.argv[2] ?? join(here, "dist/page.html");

async function bundled(file) {
  const result = await build({ entryPoints: [join(here, "src", file)], bundle: true, minify: true, write: false, format: "iife",
    target: "es2021", charset: "ascii", logLevel: "warning", legalComments: "none" });
  return result.outputFiles[0].text.trim();
}

// A policy by hash: no other script or style runs, nothing is loaded.
const hash = (text) => `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;
const script = await bundled("main.ts");
const style = await bundled("style.css");
if (/<\/script|<!--/i.test(script) || /<\/style/i.test(style)) throw new Error("the bundle would end its own element");
const policy = `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; base-uri 'none'; form-action 'none'`;

const parts = { CSP: policy, STYLE: style, SCRIPT: script };
const page = readFileSync(join(here, "src/page.html"), "utf8").replace(/@(CSP|STYLE|SCRIPT)@/g, (_, name) => parts[name]);
mkdirSync(dirname(output), { recursive: true });
writeFileSync(`${output}.new`, page);
renameSync(`${output}.new`, output); // never half of one
