import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { faultsOf } from "../faults.ts";
import { narrow, ReviewPage, slim, wide, zoomed } from "./review-page.ts";

describe("Rules panel of 200 rules", { timeout: 240_000 }, () => {
  let review: ReviewPage;
  before(async () => {
    review = await ReviewPage.start();
  });
  after(() => review.panel.close());

  /** The next waiting rule, in list order. */
  const nextOf = (id: string) =>
    review.view.rules.find((rule) => rule.status === "candidate" && rule.id > id)?.id;

  test("shows the chosen entry and its actions beside the list, and the page does not move", async () => {
    await review.open(wide);
    for (const option of [review.options.nth(80), review.options.last(), review.options.first()]) {
      await option.click();
      assert.equal(await review.shownId(), await review.chosenId());
      await review.assertSeen(review.title, "the sentence");
      await review.assertSeen(option, "the entry");
      await review.assertSeen(review.page.getByRole("button", { name: /^Protect/u }), "Protect");
      await review.assertStill();
    }
  });

  test("beside the list, a decision chooses the next candidate, and both are seen", async () => {
    await review.open(wide);
    const { page } = review;
    await review.options.nth(40).click();
    const next = nextOf(await review.chosenId());
    await page.keyboard.press("a");
    await review.answer();
    assert.equal(await review.chosenId(), next);
    assert.equal((await review.focused()).isChosen, true);
    await review.assertSeen(review.chosen, "the entry");
    await review.assertSeen(review.title, "the sentence");
    await page.keyboard.press("r");
    await page.getByLabel(/^Reason/u).fill("too vague");
    await page.keyboard.press("Enter");
    assert.deepEqual(review.acts.at(-1), {
      type: "act",
      id: next,
      act: { kind: "reject", why: "too vague" },
    });
    const third = nextOf(next ?? "");
    await review.answer();
    assert.equal(await review.chosenId(), third);
    assert.equal((await review.focused()).name, "h1");
    await review.assertSeen(review.title, "the sentence");
  });

  test("a decision that is answered late takes the focus from nowhere else", async () => {
    await review.open(wide);
    const { page } = review;
    await review.options.nth(40).click();
    await page.keyboard.press("a");
    // As while the command palette is open: the page has lost the focus.
    await page.evaluate(`document.hasFocus = () => false;
      document.querySelector("purser-rules").shadowRoot.activeElement.blur()`);
    await review.answer();
    assert.equal((await review.focused()).isChosen, false);
    await page.evaluate(`document.hasFocus = () => true; window.dispatchEvent(new Event("focus"))`);
    assert.equal((await review.focused()).isChosen, true);
  });

  test("after the last proposed rule comes one that was passed over; after all of them the approved one stays", async () => {
    await review.open(wide, 3);
    await review.options.nth(2).click();
    for (const expected of ["m000000001", "m000000002", "m000000002"]) {
      await review.page.keyboard.press("a");
      await review.answer();
      assert.equal(await review.chosenId(), expected);
      await review.assertSeen(review.chosen, "the entry");
    }
    assert.equal(review.acts.length, 3);
  });

  test("one key undoes the last decision from any place", async () => {
    await review.open(wide);
    const { page } = review;
    await review.options.nth(40).click();
    const decided = await review.chosenId();
    await page.keyboard.press("a");
    await review.answer();
    const bar = page.getByRole("group", { name: "What you decided last" });
    assert.match(await bar.innerText(), /^Approved, to be measured:/u);
    await page.keyboard.press("u");
    assert.deepEqual(review.acts.at(-1), { type: "act", id: decided, act: { kind: "undo" } });
    await review.answer();
    assert.equal(await review.chosenId(), decided);
    assert.equal(await bar.count(), 0);
    await review.assertSeen(review.chosen, "the entry");
    await page.keyboard.press("a");
    await review.answer();
    await bar.getByRole("button", { name: "Dismiss" }).click();
    assert.equal(await bar.count(), 0);
    await page.keyboard.press("u");
    assert.equal(review.acts.at(-1)?.act.kind, "approve");
  });

  for (const [name, size] of Object.entries({ narrow, slim, "at 200 %": zoomed }))
    test(`${name}: the list, then the rule with a way back; no key decides from the list`, async () => {
      await review.open(size);
      const { page, panel } = review;
      assert.equal(await review.title.count(), 0);
      await review.options.nth(60).click();
      await review.assertSeen(review.title, "the sentence");
      await review.assertStill();
      assert.equal(await page.getByRole("navigation").count(), 0);
      const id = await review.shownId();
      await page.keyboard.press("a");
      assert.deepEqual(review.acts.at(-1), { type: "act", id, act: { kind: "approve" } });
      await review.answer();
      const next = await review.shownId();
      assert.equal(next, nextOf(id));
      await review.assertSeen(review.title, "the next sentence");
      await page.getByRole("button", { name: "Rules", exact: true }).click();
      assert.equal(await review.chosenId(), next);
      await review.assertSeen(review.chosen, "the entry");
      const before = panel.panelMessages.length;
      for (const key of ["a", "r", "e", "p"]) await page.keyboard.press(key);
      assert.deepEqual(panel.panelMessages.slice(before), []);
      assert.equal(await page.locator("form").count(), 0);
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await review.assertSeen(review.title, "the sentence");
      await page.keyboard.press("Escape");
      await review.assertSeen(review.chosen, "the entry");
      assert.deepEqual(panel.pageErrors, []);
    });

  test("a sentence that was scrolled away returns before a key decides about it", async () => {
    await review.open(zoomed);
    await review.options.first().click();
    await review.scrollDetail(400);
    await review.page.keyboard.press("a");
    assert.deepEqual(review.acts, []);
    await review.assertSeen(review.title, "the sentence");
    await review.page.keyboard.press("a");
    assert.equal(review.acts.length, 1);
  });

  test("the key that takes back is at the one button it presses: that of the rule that is shown, where that can be undone", async () => {
    await review.open(wide);
    const { page } = review;
    await review.options.nth(40).click();
    const first = await review.chosenId();
    for (const key of ["a", "a"]) {
      await page.keyboard.press(key);
      await review.answer();
    }
    const bar = page.getByRole("group", { name: "What you decided last" });
    const keyed = page.locator("[aria-keyshortcuts=u]");
    assert.equal(await bar.locator("[aria-keyshortcuts=u]").count(), 1);
    assert.equal(await keyed.count(), 1);
    await page.locator(`[data-rule="${first}"]`).click();
    assert.equal(await bar.locator("[aria-keyshortcuts=u]").count(), 0);
    assert.equal(await keyed.count(), 1);
    await page.keyboard.press("u");
    assert.deepEqual(review.acts.at(-1), { type: "act", id: first, act: { kind: "undo" } });
    await review.answer();
  });

  test("keeps the sentence to decide about above its evidence if there is room", async () => {
    await review.open(wide);
    await review.scrollDetail(4000);
    await review.assertSeen(review.title, "the sentence");
    await review.assertSeen(review.page.getByRole("button", { name: /^Approve/u }), "Approve");
  });

  test("a window that becomes narrow shows what one was at, and wide again both", async () => {
    await review.open(wide);
    await review.options.nth(70).click();
    const id = await review.chosenId();
    await review.page.setViewportSize(narrow);
    await review.page.getByRole("button", { name: "Rules", exact: true }).waitFor();
    assert.equal(await review.shownId(), id);
    await review.page.setViewportSize(wide);
    await review.chosen.waitFor();
    assert.equal(await review.chosenId(), id);
    await review.assertSeen(review.chosen, "the entry");
  });

  test("the list is one stop of the Tab key; arrows, Home, End and pages go through it", async () => {
    await review.open(wide);
    const { page } = review;
    await review.chosen.focus();
    const known = await review.places();
    const last = known.length - 1;
    const steps = [
      ...([
        ["ArrowDown", 1],
        ["ArrowDown", 2],
        ["ArrowUp", 1],
        ["End", last],
        ["ArrowDown", last],
      ] as const),
      ...([
        ["Home", 0],
        ["ArrowUp", 0],
        ["PageDown", 10],
        ["j", 11],
        ["k", 10],
        ["PageUp", 0],
      ] as const),
    ];
    for (const [key, index] of steps) {
      await page.keyboard.press(key);
      assert.equal(await review.chosen.getAttribute("data-rule"), known[index], key);
      assert.equal((await review.focused()).isChosen, true, key);
      await review.assertSeen(review.chosen, `the entry after ${key}`);
    }
    assert.equal(await page.locator('.groups [tabindex="0"]').count(), 1);
    await page.keyboard.press("Tab");
    assert.match((await review.focused()).text, /^Approve/u);
    await page.keyboard.press("Shift+Tab");
    assert.equal((await review.focused()).isChosen, true);
    await page.keyboard.press("Enter");
    assert.equal((await review.focused()).name, "h1");
    const outline = `getComputedStyle(document.querySelector("purser-rules").shadowRoot.activeElement).outlineStyle`;
    assert.equal(await page.evaluate(outline), "none", "a title is no control, and has no ring");
    await page.keyboard.press("Escape");
    assert.equal((await review.focused()).isChosen, true);
    assert.equal(await page.evaluate(outline), "solid");
  });

  for (const [name, size] of Object.entries({ wide, "at 200 %": zoomed }))
    test(`${name}: a key anywhere in the list and a button show the keys`, async () => {
      await review.open(size);
      const { page } = review;
      await review.options.nth(100).click();
      const keys = page.getByRole("region", { name: "Keyboard Shortcuts" });
      await page.keyboard.press("?");
      await keys.waitFor();
      await keys.getByText("Previous or next entry of the list").waitFor();
      await review.assertStill();
      await page.keyboard.press("Escape");
      assert.equal(await keys.count(), 0);
      await page.keyboard.press("Escape");
      const button = page.getByRole("button", { name: "Keyboard Shortcuts" });
      await button.click();
      assert.equal(await button.getAttribute("aria-expanded"), "true");
      await keys.getByRole("button", { name: "Close" }).click();
      assert.equal(await keys.count(), 0);
      await page.getByRole("button", { name: "Add Rule…" }).click();
      assert.deepEqual(review.panel.panelMessages.at(-1), { type: "add" });
    });

  test("a key that is held down decides once, and a key for a field decides nothing", async () => {
    await review.open(wide);
    const { keyboard } = review.page;
    await keyboard.down("a");
    await review.answer();
    await keyboard.down("a");
    await keyboard.down("a");
    await keyboard.up("a");
    assert.equal(review.acts.length, 1);
    await keyboard.press("r");
    await review.page.getByLabel(/^Reason/u).pressSequentially("a p u j");
    assert.equal(review.acts.length, 1);
  });

  test("a user who moved on before the answer stays there", async () => {
    await review.open(wide);
    await review.page.keyboard.press("a");
    await review.options.nth(100).click();
    const id = await review.chosenId();
    await review.answer();
    assert.equal(await review.chosenId(), id);
  });

  test("axe finds nothing, wide and narrow, in the list and beside it, with the keys and a decision shown", async () => {
    const { page } = review;
    const faults = () => faultsOf(page);
    await review.open(wide, 20);
    await page.keyboard.press("?");
    await page.keyboard.press("a");
    await review.answer();
    assert.deepEqual(await faults(), []);
    await page.setViewportSize(slim);
    assert.deepEqual(await faults(), []);
    await review.options.nth(4).click();
    assert.deepEqual(await faults(), []);
  });
});
