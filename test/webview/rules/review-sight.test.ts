import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { narrow, ReviewPage, wide, zoomed } from "./review-page.ts";

/** A person's possible actions, in any order. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ press: fc.constantFrom("a", "r", "e", "p", "u") }) },
  {
    weight: 3,
    arbitrary: fc.record({
      press: fc.constantFrom("j", "k", "ArrowDown", "End", "Home", "Enter", "Escape", "Tab", "?"),
    }),
  },
  { weight: 2, arbitrary: fc.record({ click: fc.nat(150) }) },
  { weight: 2, arbitrary: fc.record({ scroll: fc.constantFrom(0, 30, 90, 200, 2000) }) },
  { weight: 1, arbitrary: fc.record({ size: fc.constantFrom(wide, narrow, zoomed) }) },
  { weight: 2, arbitrary: fc.constant({ isAnswered: true as const }) },
);
type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;

describe("Rules", { timeout: 240_000 }, () => {
  let review: ReviewPage;
  before(async () => {
    review = await ReviewPage.start();
  });
  after(() => review.panel.close());

  test("no key ever decides about a rule with a hidden sentence", async () => {
    const decided: string[] = [];
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 20 }), async (steps) => {
        await review.open(wide);
        for (const each of steps) decided.push(...(await take(each)));
      }),
      { numRuns: 10 },
    );
    assert.ok(decided.length > 5, "something was decided");
    assert.deepEqual(review.panel.pageErrors, []);
  });

  /** Takes one step; returns the decisions it made. */
  async function take(each: Step): Promise<string[]> {
    const { page } = review;
    if ("press" in each) return press(each.press);
    if ("size" in each) await page.setViewportSize(each.size);
    else if ("scroll" in each) await review.scrollDetail(each.scroll);
    else if ("click" in each) {
      const option = review.options.nth(each.click);
      if ((await option.count()) > 0) await option.click();
    } else if ((await page.locator(".progress").count()) > 0) await review.answer();
    return [];
  }

  async function press(key: string): Promise<string[]> {
    const { page } = review;
    const seen = await review.seenSentence();
    const bar = page.getByRole("group", { name: "What you decided last" });
    const reported = (await bar.count()) > 0 ? await bar.innerText() : "";
    const [acts, forms] = [review.acts.length, await page.locator(".writing").count()];
    await page.keyboard.press(key);
    for (const { id, act } of review.acts.slice(acts)) {
      const words = review.view.rules.find((rule) => rule.id === id)?.sentence ?? "";
      // The last decision can be undone from its bar, whichever rule is shown.
      assert.ok(seen === words || (act.kind === "undo" && reported.includes(words)), `${act.kind}: ${words}`);
    }
    if (forms === 0 && (await page.locator(".writing").count()) > 0) assert.notEqual(seen, null);
    return review.acts.slice(acts).map(({ act }) => act.kind);
  }
});
