import { readFile, readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import type { Browser } from "playwright-core";
import { z } from "zod";
import { launchBrowser } from "../browser.ts";
import { hostCache } from "../cache-folder.ts";
import { startServer } from "../editor/server.ts";
import { installEditor } from "../editor/install.ts";
import type { EditorChoice } from "../pinned-packages.ts";
import { outFolder, repository } from "../repository.ts";
import { makeScratch } from "../scratch.ts";
import { workbenchUrl } from "../editor/workbench.ts";

const limit = 120_000; // ms for a whole run

const resultsSchema = z.array(z.object({ name: z.string(), ms: z.number(), failure: z.string().optional() }));
export type ExtensionTestResult = z.infer<typeof resultsSchema>[number];

/** Bundles every `test/extension/*.inside.ts` with the harness into one module that VS Code can load; returns its path. */
export async function bundleExtensionTests(name: string): Promise<string> {
  const folder = join(repository, "test", "extension");
  const files = (await readdir(folder)).filter((file) => file.endsWith(".inside.ts"));
  const outfile = join(outFolder, `extension-tests-${name}.cjs`);
  await build({
    stdin: {
      contents: [
        ...files.sort().map((file) => `import "./${file}";`),
        'export { run } from "./harness.ts";',
      ].join("\n"),
      resolveDir: folder,
      sourcefile: "all-inside.ts",
    },
    outfile,
    bundle: true,
    platform: "node",
    format: "cjs",
    external: ["vscode"],
    sourcemap: "inline",
    logLevel: "warning",
  });
  return outfile;
}

/** Reads the results of the tests; undefined when they never finished. */
export async function readResults(file: string): Promise<readonly ExtensionTestResult[] | undefined> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  return text === undefined ? undefined : resultsSchema.parse(JSON.parse(text));
}

/** Runs the tests inside the extension host of a VS Code server, on the extension built in `dist`. */
export async function runExtensionTests(choice: EditorChoice): Promise<readonly ExtensionTestResult[]> {
  const cache = hostCache(process.env, homedir());
  const tests = await bundleExtensionTests(choice);
  const editor = await installEditor(choice, cache);
  const browser = await launchBrowser({ cache });
  try {
    return await runIn(browser, editor, tests);
  } finally {
    await browser.close();
  }
}

async function runIn(
  browser: Browser,
  editor: string,
  tests: string,
): Promise<readonly ExtensionTestResult[]> {
  const scratch = await makeScratch();
  const results = join(scratch.root, "results.json");
  const server = await startServer({ editor, env: { ...scratch.env, PURSER_TEST_RESULTS: results } });
  const messages: string[] = [];
  try {
    const page = await browser.newPage();
    const ended = new Promise<string>((resolve, reject) => {
      setTimeout(() => reject(new Error(`The tests did not end in ${limit} ms.`)), limit).unref();
      // VS Code calls these two when started with `extensionTestsPath`.
      Promise.all([
        page.exposeFunction("codeAutomationLog", (_kind: string, values: unknown) => {
          messages.push(Array.isArray(values) ? values.join(" ") : String(values));
        }),
        page.exposeFunction("codeAutomationExit", (code: unknown) => resolve(String(code))),
      ]).catch(reject);
    });
    const authority = `vscode-remote://127.0.0.1:${server.port}`;
    await page.goto(
      workbenchUrl(server, scratch.workspace, [
        ["extensionDevelopmentPath", `${authority}${repository}`],
        ["extensionTestsPath", `${authority}${tests}`],
        ["skipWelcome", "true"],
      ]),
    );
    const code = await ended;
    const found = await readResults(results);
    if (found !== undefined) return found;
    throw new Error(`VS Code ended with ${code} before the tests did.`);
  } catch (error) {
    throw new Error([String(error), ...messages.slice(-40), server.log()].join("\n"));
  } finally {
    await server.stop();
    await scratch.remove();
  }
}
