import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { adviceSentence } from "../../src/engine/hooks/advice-handler.ts";
import { panels, type PanelKind } from "../../src/extension/panels/registry.ts";
import { settingNames } from "../../src/extension/service/window-settings.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const texts = {
  manifest: readFileSync(path.join(root, "package.json"), "utf8"),
  words: readFileSync(path.join(root, "package.nls.json"), "utf8"),
  code: sourcesIn(path.join(root, "src/extension")),
};

const when = z.object({ when: z.string().optional() });
const command = z.object({ command: z.string() });
const { activationEvents, contributes } = z
  .object({
    activationEvents: z.array(z.string()),
    contributes: z.object({
      commands: z.array(command),
      views: z.record(z.string(), z.array(when.extend({ id: z.string() }))),
      viewsWelcome: z.array(when.extend({ view: z.string() })),
      menus: z.record(z.string(), z.array(when.extend({ command: z.string() }))),
      walkthroughs: z.array(
        z.object({
          steps: z.array(
            z.object({
              id: z.string(),
              media: z.object({
                image: z.string().optional(),
                svg: z.string().optional(),
                altText: z.string(),
              }),
            }),
          ),
        }),
      ),
      configuration: z.array(
        z.object({ properties: z.record(z.string(), z.object({ markdownDescription: z.string() })) }),
      ),
    }),
  })
  .parse(JSON.parse(texts.manifest));

const commands = contributes.commands.map((each) => each.command);
const views = Object.values(contributes.views).flatMap((each) => each.map(({ id }) => id));
const settings = contributes.configuration.flatMap(({ properties }) => Object.keys(properties));
const conditions = [
  ...Object.values(contributes.menus).flat(),
  ...Object.values(contributes.views).flat(),
  ...contributes.viewsWelcome,
].map((each) => each.when ?? "");
/** Names used only in code. */
const internal: Readonly<Record<string, string>> = {
  "purser.followJob": "a job that this window began",
  "purser.openText": "a text that is no file",
  "purser.selectRules": "the Experiments panel",
  "purser.tryRules": "the Experiments panel",
  "purser.installHooks": "buttons of views and pages",
  "purser.showPlaces": "the welcome of the Sessions view",
  "purser.sample": "the status item of the sample",
  "purser.openGuardRules": "the Guard panel",
  "purser.testGuardRule": "the lenses of guard rules",
  "purser.golden": "the controller of golden tasks as tests",
  "purser.testing.show": "a setting that is followed",
  "purser.instructions": "the settings of what is found in instructions, as one",
  "purser.rent": "the settings of what instructions cost, as one",
  "purser.status": "the status bar's item",
  "purser.job": "the status bar's item of a running job",
};

/** The commands of version 0.1, each with the one that replaces it. */
const former = [
  ...readFileSync(path.join(root, "src/extension/former-commands.ts"), "utf8").matchAll(
    /^ {2}"(purser\.\w+)": \["(purser\.\w+)"/gmu,
  ),
].map(([, name = "", now = ""]) => ({ name, now }));

/** The text of all sources below a folder. */
function sourcesIn(folder: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(path.join(folder, name), "utf8"))
    .join("\n");
}

function found(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([whole, group]) => group ?? whole))].sort();
}

/** Our names in the code, each a string literal. */
const named = found(texts.code, /["'`](purser\.[A-Za-z.]+)["'`]/gu);

describe("package.json", () => {
  it("every command is registered, and every registered command is in the manifest", () => {
    assert.deepEqual(
      commands.filter((each) => !named.includes(each)),
      [],
    );
    const known = new Set([
      ...commands,
      ...views,
      ...views.map((view) => `${view}.focus`),
      ...found(conditions.join(" "), /purser\.[A-Za-z]+/gu),
      ...found(activationEvents.join(" "), /onWebviewPanel:(\S+)/gu),
      ...Object.keys(internal),
      ...former.map(({ name }) => name),
    ]);
    assert.deepEqual(
      named.filter((each) => !known.has(each)),
      [],
    );
    assert.deepEqual(
      Object.keys(internal).filter((each) => !named.includes(each)),
      [],
    );
  });

  it("a former command leads to one of today's", () => {
    assert.ok(former.length > 10);
    assert.deepEqual(
      former.filter(({ name, now }) => commands.includes(name) || !commands.includes(now)),
      [],
    );
  });

  describe("matches the table of panels", () => {
    it("and wakes the extension for each of them, and for no other", () => {
      const awaited = found(activationEvents.join(" "), /onWebviewPanel:(\S+)/gu);
      assert.deepEqual(
        Object.values(panels)
          .flatMap((panel: PanelKind) => [panel.viewType, ...(panel.formerViewTypes ?? [])])
          .sort(),
        awaited,
      );
    });

    for (const [name, { commands: own, bundle, icon }] of Object.entries(panels))
      it(`of ${name}: its commands, its page and its pictures, and its feature registers it`, () => {
        assert.deepEqual(
          own.filter((each) => !commands.includes(each) && !(each in internal)),
          [],
        );
        const page = `src/webview/${bundle.replace(/-panel$/u, "")}/main.ts`;
        const files = [page, `media/${icon}-light.svg`, `media/${icon}-dark.svg`];
        assert.deepEqual(
          files.filter((file) => !existsSync(path.join(root, file))),
          [],
        );
        assert.ok(bundle.endsWith("-panel"));
        const place = name === "guard" ? "guard/guard-entry.ts" : "panels/panel-entries.ts";
        const entry = readFileSync(path.join(root, "src/extension", place), "utf8");
        assert.ok(entry.includes(`registerPanel(services, panels.${name}, `));
      });

    it("and a command belongs to one panel alone", () => {
      const all = Object.values(panels).flatMap((panel): readonly string[] => panel.commands);
      assert.deepEqual([...new Set(all)], all);
    });
  });

  it("has menus and links for commands and views that exist", () => {
    const used = Object.values(contributes.menus).flatMap((each) => each.map((item) => item.command));
    const linked = found([texts.manifest, texts.words].join("\n"), /command:(purser\.[A-Za-z.]+)/gu);
    const ours = [...used, ...linked].filter((each) => each.startsWith("purser."));
    const known = new Set([...commands, ...Object.keys(internal), ...views.map((view) => `${view}.focus`)]);
    assert.ok(linked.length > 3 && used.length > 20);
    assert.deepEqual(
      ours.filter((each) => !known.has(each)),
      [],
    );
    const welcomed = contributes.viewsWelcome.map(({ view }) => view);
    assert.deepEqual(
      welcomed.filter((each) => !views.includes(each)),
      [],
    );
  });

  describe("has a walkthrough", () => {
    const [{ steps } = { steps: [] }] = contributes.walkthroughs;

    it("of four steps, each with a picture", () => {
      assert.deepEqual(
        steps.map(({ id }) => id),
        ["see", "warned", "agent", "sample"],
      );
      for (const { id, media } of steps) {
        const file = media.image ?? media.svg ?? "";
        assert.match(file, /\.(?:png|svg)$/u, id);
        assert.ok(existsSync(path.join(root, file)), file);
        assert.equal(media.altText, `%walkthrough.${id}.altText%`);
      }
    });

    it("that quotes what the agent is really told", () => {
      const picture = readFileSync(path.join(root, "media/walkthrough/agent.svg"), "utf8");
      const words = [...picture.matchAll(/<text[^>]*>([^<]*)</gu)].map(([, text]) => text).join(" ");
      const told = adviceSentence("WRAP_UP", { tokens: 140_000, window: 200_000 });
      assert.ok(words.includes(told), told);
    });
  });

  it("comes with no picture that nothing shows", () => {
    const pictures = readdirSync(path.join(root, "media"), { recursive: true, encoding: "utf8" })
      .map((file) => file.replaceAll("\\", "/"))
      .filter((file) => /\.(?:png|svg)$/u.test(file) && !/^[a-z]+-(?:light|dark)\.svg$/u.test(file));
    const guide = path.join(root, "media/guide");
    const pages = readdirSync(guide).map((name) => readFileSync(path.join(guide, name), "utf8"));
    const readme = readFileSync(path.join(root, "README.md"), "utf8");
    const all = [texts.manifest, readme, ...pages].join("\n");
    assert.ok(pictures.length > 4);
    assert.deepEqual(
      pictures.filter((file) => !all.includes(file)),
      [],
    );
  });

  it("uses only context keys that the code sets", () => {
    const keys = found(conditions.join(" "), /purser\.[A-Za-z]+/gu).filter((key) => !views.includes(key));
    assert.ok(keys.length > 2);
    assert.deepEqual(
      keys.filter((key) => !named.includes(key)),
      [],
    );
  });

  it("has all its words in package.nls.json, and that no others", () => {
    const asked = found(texts.manifest, /"%([^%"]+)%"/gu);
    const reported = Object.keys(z.record(z.string(), z.string()).parse(JSON.parse(texts.words))).sort();
    assert.deepEqual(asked, reported);
  });

  it("names a setting's text after the setting", () => {
    const all = contributes.configuration.flatMap(({ properties }) => Object.entries(properties));
    const wrong = all.filter(
      ([name, { markdownDescription }]) => markdownDescription !== `%${name.replace(/^purser/u, "setting")}%`,
    );
    assert.deepEqual(wrong, []);
  });

  it("every setting is read somewhere", () => {
    const read = new Set([
      ...Object.values(settingNames).map((name) => `purser.${name}`),
      ...found(texts.code, /["'`]([a-zA-Z]+\.[A-Za-z]+)["'`]/gu).map((name) => `purser.${name}`),
    ]);
    assert.deepEqual(
      settings.filter((setting) => !read.has(setting)),
      [],
    );
  });

  it("names files that are there", () => {
    const files = found(texts.manifest, /"(?:\.\/)?(media\/[^"]+)"/gu);
    assert.ok(files.length > 5);
    assert.deepEqual(
      files.filter((file) => !existsSync(path.join(root, file))),
      [],
    );
  });
});
