/**
 * `node test/webview/record-themes.ts`: rewrites `themes.json` with the values of the variables our panels use, as a real
 * VS Code passes them to a webview in each of its four kinds of theme.
 */
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { launchBrowser } from "../host/browser.ts";
import { hostCache } from "../host/cache-folder.ts";
import { startServer } from "../host/editor/server.ts";
import { installEditor } from "../host/editor/install.ts";
import { repository } from "../host/repository.ts";
import { makeScratch } from "../host/scratch.ts";
import { Workbench } from "../host/editor/workbench.ts";

const themes = ["Dark Modern", "Light Modern", "Dark High Contrast", "Light High Contrast"];

const cache = hostCache(process.env, homedir());
const scratch = await makeScratch();
const editor = await installEditor("newest", cache);
const server = await startServer({ editor, env: scratch.env, workspaceTrust: false, settings: {} });
const browser = await launchBrowser({ cache });
try {
  const folder = scratch.workspace;
  const path = `vscode-remote://127.0.0.1:${server.port}${await bareExtension(scratch.root)}`;
  const payload = [["extensionDevelopmentPath", path]] as const;
  const bench = await Workbench.open({ browser, server, folder, payload });
  await bench.page.locator("iframe.webview").waitFor();
  const used = await usedVariables();
  const recorded: Record<string, unknown> = {};
  for (const theme of themes) {
    await bench.setColorTheme(theme);
    await bench.page.waitForTimeout(1000);
    const inside = bench.page.frameLocator("iframe.webview").frameLocator("iframe").locator("body");
    const reported = await inside.evaluate(
      "[document.body.className, document.documentElement.style.cssText]",
    );
    const [kind, css] = z.tuple([z.string(), z.string()]).parse(reported);
    const all = new Map(
      css.split(";").flatMap((line) => {
        const colon = line.indexOf(":");
        return colon === -1 ? [] : [[line.slice(0, colon).trim(), line.slice(colon + 1).trim()] as const];
      }),
    );
    const variables = Object.fromEntries(
      used.flatMap((name) => {
        const value = all.get(name);
        return value === undefined ? [] : [[name, value] as const];
      }),
    );
    recorded[theme] = { kind, variables };
  }
  await writeFile(join(import.meta.dirname, "themes.json"), `${JSON.stringify(recorded, null, 2)}\n`);
} finally {
  await browser.close();
  await server.stop();
  await scratch.remove();
}

/** Names of the editor's variables used in our panels' styles. */
async function usedVariables(): Promise<string[]> {
  const folder = join(repository, "src", "webview");
  const files = await readdir(folder, { recursive: true });
  const texts = await Promise.all(
    files.filter((file) => /\.(?:ts|css)$/u.test(file)).map((file) => readFile(join(folder, file), "utf8")),
  );
  const names = texts.flatMap((text) => text.match(/--vscode-[\w-]+/gu) ?? []);
  return [...new Set(names)].sort();
}

/** Writes an extension that only shows an empty webview; returns its folder. */
async function bareExtension(root: string): Promise<string> {
  const folder = join(root, "bare");
  await mkdir(folder);
  const manifest = {
    name: "bare",
    publisher: "test",
    version: "0.0.1",
    main: "main.cjs",
    engines: { vscode: "^1.100.0" },
    activationEvents: ["*"],
  };
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
  await writeFile(
    join(folder, "main.cjs"),
    `exports.activate = () => {
      const panel = require("vscode").window.createWebviewPanel("bare", "Bare", 1, {});
      panel.webview.html = "<!doctype html><html><body>bare</body></html>";
    };`,
  );
  return folder;
}
