import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { z } from "zod";
import { defaults, settingsShape } from "../../../src/engine/settings/shape.ts";
import { windowSettings as windowSettingsShape } from "../../../src/engine/settings/editor-window.ts";
import {
  folderSettings,
  movedSettings,
  settingNames,
  windowSettings,
  type SettingsContext,
} from "../../../src/extension/service/window-settings.ts";

const manifest = z
  .object({
    capabilities: z.object({
      untrustedWorkspaces: z.object({ restrictedConfigurations: z.array(z.string()) }),
    }),
    contributes: z.object({
      configuration: z.array(
        z.object({
          title: z.string(),
          properties: z.record(
            z.string(),
            z.looseObject({
              default: z.unknown(),
              scope: z.string(),
              minimum: z.number().optional(),
              maximum: z.number().optional(),
              enum: z.array(z.unknown()).optional(),
              enumItemLabels: z.array(z.string()).optional(),
              enumDescriptions: z.array(z.string()).optional(),
            }),
          ),
        }),
      ),
    }),
  })
  .parse(JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")));
const groups = manifest.contributes.configuration;
const properties = Object.fromEntries(groups.flatMap((group) => Object.entries(group.properties)));

/** A window with these settings of its user, globally and per folder. */
function world(
  user: Record<string, unknown>,
  folders: Record<string, { folder?: Record<string, unknown>; workspace?: Record<string, unknown> }> = {},
  isTrusted = true,
): SettingsContext {
  return {
    editor: "file:///editor",
    workspace: null,
    isTrusted,
    folders: Object.keys(folders),
    inspect: (name, folder) => ({
      globalValue: user[name],
      workspaceValue: folders[folder ?? ""]?.workspace?.[name],
      workspaceFolderValue: folders[folder ?? ""]?.folder?.[name],
    }),
  };
}

describe("a window's settings, as sent to the service", () => {
  it("sends only what was set, under the service's names", () => {
    const settings = windowSettings(
      world(
        { "advice.wrapUpAt": 30, "budgets.mode": "hard", models: { x: { window: 5 } } },
        {
          "/a": {
            folder: { "advice.wrapUpAt": 20 },
            workspace: { "advice.wrapUpAt": 10, "advice.endTurnAt": 5 },
          },
          "/b": { folder: { "budgets.mode": "off", "compaction.fallbackTokens": null } },
          "/c": {},
        },
      ),
    );
    assert.deepEqual(settings, {
      editor: "file:///editor",
      workspace: null,
      isTrusted: true,
      user: { wrapUpAt: 30, budgets: "hard", models: { x: { window: 5 } } },
      folders: [
        { path: "/a", settings: { wrapUpAt: 20, endTurnAt: 5 } },
        { path: "/b", settings: { compactAtTokens: null } },
        { path: "/c", settings: {} },
      ],
    });
    assert.deepEqual(windowSettingsShape.parse(settings), settings);
  });

  it("omits the folders of an untrusted workspace", () => {
    const settings = windowSettings(
      world({ "advice.wrapUpAt": 30 }, { "/a": { folder: { "advice.wrapUpAt": 0 } } }, false),
    );
    assert.deepEqual([settings.user, settings.folders], [{ wrapUpAt: 30 }, [{ path: "/a", settings: {} }]]);
  });
});

describe("the editor's settings", () => {
  it("are at most 20, in groups with titles", () => {
    for (const { title, properties } of groups) {
      assert.match(title, /^%settings\.\w+%$/u);
      assert.notDeepEqual(properties, {}, title);
    }
    const count = Object.keys(properties).length;
    assert.ok(count <= 20, `${count} settings; others are only in settings.json`);
  });

  it("have a label and a description for each value of a choice", () => {
    const choices = Object.entries(properties).filter(([, setting]) => setting.enum !== undefined);
    assert.ok(choices.length > 5);
    for (const [name, { enum: allowed, enumItemLabels, enumDescriptions }] of choices) {
      assert.equal(enumItemLabels?.length, allowed?.length, name);
      assert.equal(enumDescriptions?.length, allowed?.length, name);
    }
  });

  it("do not have what is in settings.json only", () => {
    const moved = Object.values(movedSettings).filter((name) => `purser.${name}` in properties);
    assert.deepEqual(moved, []);
  });
});

describe("the editor's settings and the service's", () => {
  it("are the same, with the same defaults and bounds", () => {
    const values: Readonly<Record<string, unknown>> = defaults;
    for (const [key, name] of Object.entries(settingNames)) {
      const value = values[key];
      const setting = properties[`purser.${name}`];
      assert.ok(setting !== undefined, `package.json has no setting purser.${name}`);
      assert.deepEqual(setting.default, value, `package.json has another default for purser.${name}`);
      const door = z.object(settingsShape).partial();
      for (const allowed of setting.enum ?? []) assert.ok(door.safeParse({ [key]: allowed }).success, name);
      for (const [bound, beyond] of [
        [setting.minimum, -1],
        [setting.maximum, 1],
      ] as const) {
        if (bound === undefined) continue;
        assert.ok(door.safeParse({ [key]: bound }).success, `${name} ${bound}`);
        assert.ok(!door.safeParse({ [key]: bound + beyond }).success, `${name} ${bound + beyond}`);
      }
    }
  });

  it("includes a folder's own settings where the editor allows it, without restricted ones in an untrusted folder", () => {
    const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    for (const [key, name] of Object.entries(settingNames)) {
      const isOfFolder = folderSettings.some((each) => each === key);
      assert.ok(!(key in movedSettings), key);
      const scope = properties[`purser.${name}`]?.scope;
      assert.equal(
        scope !== "machine",
        isOfFolder,
        `purser.${name} has the scope ${scope}; folderSettings ${isOfFolder ? "has" : "lacks"} ${key}`,
      );
      if (isOfFolder)
        assert.ok(
          restrictedConfigurations.includes(`purser.${name}`),
          `restrictedConfigurations in package.json lacks purser.${name}`,
        );
    }
  });
});
