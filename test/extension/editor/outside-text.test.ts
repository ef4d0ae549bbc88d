import { sentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { installTranslation, translationKey } from "../../../src/engine/base/text/l10n.ts";
import {
  inMarkdown,
  inMessage,
  saidInMessage,
  withoutIcons,
} from "../../../src/extension/editor/outside-text.ts";
import { german } from "../../engine/support/translation.ts";

const anyText = fc.string({ unit: "binary", maxLength: 200 });

test("in Markdown, text from outside cannot make a link, a tag, an icon, a table cell or a new line", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const shown = inMarkdown(text, 60);
      assert.doesNotMatch(shown, /(?<!\\)(?:\\\\)*[[\]<>|`*_$&~]/u);
      assert.doesNotMatch(shown, /[\p{Cc}\u2028\u2029]|https?:\/\/|www\.\w|\w@\w/u);
    }),
  );
  assert.equal(
    inMarkdown("[x](command:evil) <img> $(zap) a|b", 60),
    "\\[x\\]\\(command:evil) \\<img\\> \\$(zap) a\\|b",
  );
});

test("in Markdown, escapes only what would be markup", () => {
  assert.equal(inMarkdown("claude-sonnet-5 (main), time. Now!", 60), "claude-sonnet-5 (main), time. Now!");
  assert.equal(inMarkdown("# a", 60), "\\# a");
  assert.equal(inMarkdown("- a", 60), "\\- a");
  assert.equal(inMarkdown("=== a", 60), "\\=== a");
  assert.equal(inMarkdown("12. a", 60), "12\\. a");
  assert.equal(inMarkdown("1) a", 60), "1\\) a");
  assert.equal(
    inMarkdown("see https://1249769984/ or ftp://host", 60),
    "see https\\://1249769984/ or ftp\\://host",
  );
  assert.equal(inMarkdown("mailto:a@localhost, @here, 5 @ 3", 60), "mailto:a\\@localhost, @here, 5 @ 3");
  assert.equal(inMarkdown("see www.example.com", 60), "see www\\.example\\.com");
});

/** How VS Code finds links in a notification's message. */
const link = /\[[^\]]+\]\((?:https?:\/\/|command:|file:)[^)\s]+/iu;

test("in a notification, text from outside cannot make a link that runs a command", () => {
  const marks = fc.constantFrom("[", "]", "(", ")", "](", "command:", "a", " ", "\u200b", "\n");
  fc.assert(
    fc.property(fc.array(marks, { maxLength: 30 }), (parts) => {
      assert.doesNotMatch(inMessage(parts.join(""), 60), link);
    }),
  );
  assert.equal(inMessage("[x](command:evil)", 60), "[x] (command:evil)");
});

test("in a list, outside text cannot make an icon, and is shown unchanged", () => {
  assert.equal(withoutIcons("a $(zap) and $(sync~spin)", 60), "a \\$(zap) and \\$(sync~spin)");
  assert.equal(withoutIcons("costs $(5 or so)", 60), "costs $(5 or so)");
});

test("a notification explains a failure in the user's language, and contains no link", () => {
  installTranslation(german({ "there is no rule {0}": "es gibt keine Regel {0}" }));
  try {
    assert.equal(
      saidInMessage(sentence("there is no rule {0}", "[x](command:evil)"), 60),
      "es gibt keine Regel [x] (command:evil)",
    );
    assert.equal(saidInMessage(sentence("there is no rule {0}", "x"), 10), "es gibt…");
  } finally {
    Reflect.deleteProperty(globalThis, translationKey);
  }
});
