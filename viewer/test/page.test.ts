// What the page does, in a real browser.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { kHostile, hostile, long, message, other, page as pageOf } from "./fixture";
import { screenshot, startBrowser, stopBrowser, withPage } from "./browser";

before(startBrowser);
after(stopBrowser);

const small = () => pageOf([message()]);
// Rows that are off the screen, or not yet drawn, have no inner text: textContent is what counts.
const current = (page: Page) => page.locator(".row.current .letter").textContent();
const paths = (page: Page, kind: string) => page.locator(`#lines g[data-kind=${kind}] path`).count();
const toggle = (page: Page, kind: string) => page.locator(`.edge-switch.${kind} input`);

test("it shows the bug, the threads and each event with operation, variable, value, order and place", () =>
  withPage(small(), async (page) => {
    assert.match(await page.locator("h1").innerText(), /data race on 'message'/);
    assert.match(await page.locator("#why").innerText(), /nothing orders the two/);
    assert.match(await page.locator("#replay").innerText(), /ordeal replay ordeal-message-data-race\.replay/);
    assert.deepEqual(await page.locator(".thread").allTextContents(), ["main", "thread 1", "thread 2"]);
    assert.equal(await page.locator(".row").count(), 8);
    const box = page.locator("#row-3 .box");
    assert.equal(await box.locator(".what").textContent(), "sent = true");
    assert.equal(await box.locator(".order").textContent(), "rel");
    assert.equal(await box.locator(".place").textContent(), "message.cpp:17");
    const [left, right] = await Promise.all([page.locator("#row-0 .box").boundingBox(), box.boundingBox()]);
    assert.ok(left!.x + left!.width < right!.x, "each thread has a column of its own");
    assert.equal(await page.locator(".row.marked").count(), 1);
    assert.equal(await page.locator("#row-6 .surprise").textContent(), "not e");
    await screenshot(page, "small-light");
  }));

test("each relation has a switch; a chosen modification order is dashed, a forced one is not", () =>
  withPage(pageOf([{ ...message(), edges: { ...message().edges, mo: [[2, 4]], moChosen: [] } }, message()]), async (page) => {
    const expected: Record<string, number> = { po: 5, rf: 2, mo: 1, fr: 1, sw: 3, hb: 3 };
    for (const [kind, count] of Object.entries(expected)) {
      const isOn = kind === "po" || kind === "rf";
      assert.equal(await paths(page, kind), isOn ? count : 0, kind);
      await toggle(page, kind).setChecked(!isOn);
      assert.equal(await paths(page, kind), isOn ? 0 : count, kind);
      await toggle(page, kind).setChecked(true);
    }
    const dashes = () => page.locator("#lines g[data-kind=mo] path").evaluate((path) => getComputedStyle(path).strokeDasharray);
    assert.equal(await dashes(), "none");
    await page.locator("#execution").selectOption("1");
    assert.notEqual(await dashes(), "none");
    await screenshot(page, "small-all-edges");
  }));

test("keys step forwards and backwards, and the source follows", () =>
  withPage(small(), async (page) => {
    const line = () => page.locator(".line.now .number").innerText();
    assert.equal(await current(page), "a");
    for (const [letter, number] of [["b", "28"], ["c", "16"], ["d", "17"]] as const) {
      await page.keyboard.press("ArrowDown");
      assert.equal(await current(page), letter);
      assert.equal(await line(), number);
    }
    assert.equal(await page.locator(".line.near .number").innerText(), "28", "where main stands");
    assert.match(await page.locator("#live").innerText(), /^Step 4 of 8: d, thread 1, store sent = true, release, at message\.cpp:17$/);
    await page.keyboard.press("k");
    assert.equal(await current(page), "c");
    await page.keyboard.press("End");
    assert.equal(await current(page), "•");
    await page.keyboard.press("ArrowDown");
    assert.equal(await current(page), "•", "behind the last there is none");
    assert.equal(await line(), "23");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowUp");
    assert.equal(await current(page), "a");
    await page.getByRole("button", { name: "Next event" }).click();
    assert.equal(await current(page), "b");
    await page.keyboard.press("s");
    assert.equal(await current(page), "g");
    await page.keyboard.press("b");
    assert.equal(await current(page), "•");
  }));

test("a load tells which stores it could have read, and why not the others", () =>
  withPage(small(), async (page) => {
    await page.locator("#row-6 .box").click();
    const could = page.locator(".stores.could li");
    assert.deepEqual(await could.locator(".value").allTextContents(), ["1", "2"]);
    assert.match(await could.nth(0).innerText(), /read here/);
    assert.match(await page.locator(".stores.could-not").innerText(), /c overwrites it, and c happens before this load/);
    assert.match(await page.locator(".surprise-note").innerText(), /would have read e: x = 2, of main/);
    assert.equal(await page.locator(".row.could").getAttribute("id"), "row-4");
    assert.equal(await page.locator(".row.source").getAttribute("id"), "row-2");
    await screenshot(page, "small-load");
    await page.locator("#events").focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter"); // the first link in the details: what it reads
    assert.equal(await current(page), "c");
    assert.equal(await page.locator(".stores").count(), 0, "a store has none");
    await page.keyboard.press("Escape");
    assert.equal(await page.evaluate(() => document.activeElement?.id), "events");
  }));

test("search and filters", () =>
  withPage(small(), async (page) => {
    await page.keyboard.press("/");
    await page.keyboard.type("sent");
    assert.deepEqual(await page.locator(".row.match .letter").allTextContents(), ["d", "f"]);
    assert.equal(await current(page), "d");
    await page.keyboard.press("Enter");
    assert.equal(await current(page), "f");
    assert.equal(await page.locator("#found").innerText(), "2/2");
    await page.locator("#search").fill("");
    await page.locator("#variable").selectOption("x");
    assert.deepEqual(await page.locator(".row .letter").allTextContents(), ["c", "e", "g"]);
    assert.equal(await paths(page, "rf"), 1, "edges to hidden events are hidden");
    await page.locator("#thread-menu summary").click();
    await page.locator("#thread-menu").getByLabel("main").uncheck();
    assert.deepEqual(await page.locator(".row .letter").allTextContents(), ["c", "g"]);
    await page.locator("#thread-menu").getByLabel("thread 1").uncheck();
    await page.locator("#thread-menu").getByLabel("thread 2").uncheck();
    assert.equal(await page.locator("#nothing").isVisible(), true);
    await page.locator("#thread-menu").getByLabel("thread 2").check();
    await page.keyboard.press("Escape");
    await page.locator("#variable").selectOption("");
    assert.deepEqual(await page.locator(".row .letter").allTextContents(), ["f", "g", "•"]);
  }));

test("events aside are shown when they are asked for", () => {
  const execution = message();
  execution.rows[4]!.aside = true;
  return withPage(pageOf([execution]), async (page) => {
    assert.equal(await page.locator(".row").count(), 7);
    await page.getByLabel("all events (+1)").check();
    assert.equal(await page.locator(".row").count(), 8);
  });
});

test("several bugs in one file", () =>
  withPage(pageOf([message(), other()]), async (page) => {
    await page.locator("#execution").selectOption("1");
    assert.match(await page.locator("h1").innerText(), /assertion fails/);
    assert.equal(await page.locator(".row").count(), 4);
    assert.match(await page.locator("#why").innerText(), /the first 4 of 8 events/);
    assert.equal(await toggle(page, "rf").isDisabled(), true);
  }));

test("light and dark: as the system has it, and by a switch", () =>
  withPage(small(), async (page) => {
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await paper();
    await page.emulateMedia({ colorScheme: "dark" });
    await page.locator("html[data-theme=dark]").waitFor({ state: "attached" });
    const dark = await paper();
    assert.notEqual(light, dark);
    await screenshot(page, "small-dark");
    await page.getByRole("button", { name: "Change to light colours" }).click();
    assert.equal(await paper(), light);
    await page.reload();
    assert.equal(await paper(), light, "the choice is kept");
  }));

test("events that are not ordered with the current one are pale when hb is on", () =>
  withPage(small(), async (page) => {
    await page.locator("#row-4 .box").click(); // main's second store: nothing but the creations is ordered with it
    await toggle(page, "hb").check();
    assert.deepEqual(await page.locator(".row.unordered .letter").allTextContents(), ["c", "d", "f", "g", "•"]);
    await page.locator("#row-7 .box").click(); // behind sent: all but e
    assert.deepEqual(await page.locator(".row.unordered .letter").allTextContents(), ["e"]);
  }));

test("1,000 events: it opens fast, steps fast, and switches edges", () =>
  withPage(pageOf([long(1000, 6)]), async (page) => {
    const ready = await page.evaluate(() => performance.now());
    assert.equal(await page.locator(".row").count(), 1000);
    const step = await page.evaluate(async () => {
      const steps = 200;
      const start = performance.now();
      for (let i = 0; i < steps; ++i) {
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "j", bubbles: true }));
        document.body.getBoundingClientRect(); // with layout
      }
      return (performance.now() - start) / steps;
    });
    assert.equal(await page.locator(".row.current").getAttribute("id"), "row-200");
    // What does not depend on how busy the machine is: a step changes few elements, however many there are.
    const changes = await page.evaluate(async () => {
      let count = 0;
      const observer = new MutationObserver((records) => (count += records.length));
      observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
      for (let i = 0; i < 10; ++i) document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "k", bubbles: true }));
      await Promise.resolve();
      observer.disconnect();
      return count / 10;
    });
    assert.ok(changes > 0 && changes < 100, `${changes} changes a step`);
    const isSeen = await page.locator(".row.current").evaluate((row) => {
      const [inside, around] = [row.getBoundingClientRect(), document.getElementById("graph")!.getBoundingClientRect()];
      return inside.top >= around.top && inside.bottom <= around.bottom;
    });
    assert.ok(isSeen, "the current row is in view");
    await page.getByLabel("current event only").uncheck();
    const edges = await page.evaluate(() => {
      const start = performance.now();
      for (const box of document.querySelectorAll<HTMLInputElement>(".edge-switch input:not(:checked)")) box.click();
      document.body.getBoundingClientRect();
      return performance.now() - start;
    });
    console.log(`1,000 events: ready after ${ready.toFixed(0)} ms, a step ${step.toFixed(2)} ms, all edges ${edges.toFixed(0)} ms`);
    assert.ok(ready < 20000 && step < 500 && edges < 20000, `${ready} ${step} ${edges}`); // far above what they take: others use the machine, too
    await screenshot(page, "long-all-edges");
    await page.getByLabel("current event only").check();
    await page.locator("#variable").selectOption("slots[3].sequence");
    await screenshot(page, "long-filtered");
    await page.locator("#variable").selectOption("");
    await screenshot(page, "long-light");
    await page.emulateMedia({ colorScheme: "dark" });
    await page.locator("html[data-theme=dark]").waitFor({ state: "attached" });
    await screenshot(page, "long-dark");
  }));

test("names of the program are text, whatever they are", () =>
  withPage(hostile(), async (page) => {
    assert.deepEqual(await page.locator(".row .what").allTextContents(), kHostile.map((name) => `${name}: ${name}`));
    assert.deepEqual(await page.locator(".line .text").allTextContents(), kHostile);
    for (const [index] of kHostile.entries()) await page.locator(`#row-${index} .box`).click();
    assert.equal(await page.locator("img, main svg svg, main script").count(), 0);
    assert.equal(await page.locator("script").count(), 2, "the data and the viewer");
    await page.locator("#variable").selectOption("__proto__");
    assert.equal(await page.locator(".row").count(), 1);
    await page.locator("#execution").selectOption("1");
    await screenshot(page, "hostile");
  }));

test("no other script runs and nothing is loaded", () =>
  withPage(small(), async (page) => {
    const policy = await page.locator("meta[http-equiv=Content-Security-Policy]").getAttribute("content");
    assert.match(policy!, /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'$/);
    const html = await page.content();
    assert.equal(/(?:src|href)=["']?(?:https?:)?\/\//.test(html), false);
  }));

test("everything that can be used has a name, and the focus goes through it in order", () =>
  withPage(pageOf([message(), other()]), async (page) => {
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>("button, select, input, [role=listbox], [role=option], section")]
        .filter((element) => (element.getAttribute("aria-label") ?? element.closest("label")?.textContent ?? element.textContent ?? "").trim() === "")
        .map((element) => element.outerHTML));
    assert.deepEqual(nameless, []);
    assert.equal(await page.getByRole("listbox").getAttribute("aria-activedescendant"), "row-0");
    assert.equal(await page.locator("#events [role=option][aria-selected=true]").getAttribute("aria-label"), "a, main, create thread 1, at message.cpp:27");
    assert.match((await page.locator("#row-6").getAttribute("aria-label"))!, /^g, thread 2, load x: 1, relaxed, from c, surprising: it would have read e, at message\.cpp:22$/);
    const order: string[] = [];
    for (let i = 0; i < 40; ++i) {
      await page.keyboard.press("Tab");
      order.push(await page.evaluate(() => document.activeElement!.closest("[id]")?.id ?? ""));
    }
    const expected = ["execution", "theme", "replay", "steps", "edges", "search", "variable", "thread-menu", "events", "source"];
    let at = -1;
    for (const id of expected) {
      const next = order.indexOf(id);
      assert.ok(next > at, `${id} in ${order.join(" ")}`);
      at = next;
    }
  }));

test("text can be selected without going to another event", () =>
  withPage(small(), async (page) => {
    const box = (await page.locator("#row-3 .what").boundingBox())!;
    await page.mouse.move(box.x + 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 2, box.y + box.height / 2, { steps: 5 });
    await page.mouse.up();
    assert.match(await page.evaluate(() => String(window.getSelection())), /sent = tru/);
    assert.equal(await current(page), "a");
  }));

test("printing leaves nothing out", () =>
  withPage(small(), async (page) => {
    await page.emulateMedia({ media: "print" });
    const isCut = await page.evaluate(() => ["#graph", "#details", ".code"].some((name) => getComputedStyle(document.querySelector(name)!).overflow !== "visible"));
    assert.equal(isCut, false);
    assert.equal(await page.locator("#tools").isVisible(), false);
  }));

test("a source that is not there is said to be missing", () =>
  withPage(pageOf([message()], { files: [{ name: "gone.cpp", pieces: [], remark: "gone.cpp cannot be read." }] }), async (page) => {
    assert.match(await page.locator("#source").innerText(), /gone\.cpp cannot be read/);
    await page.keyboard.press("j");
    assert.equal(await page.locator(".line").count(), 0);
  }));
