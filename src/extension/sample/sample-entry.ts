import { readdir } from "node:fs/promises";
import os from "node:os";
import * as vscode from "vscode";
import { rethrowUnlessSystemError } from "../../engine/base/result.ts";
import { LazyPart } from "../editor/lazy-part.ts";
import type { Services } from "../services.ts";
import { sampleCommands, samplePrefix } from "../editor/lazy-commands.ts";

/** Registers the sample. Its code is loaded when it is opened, or when a killed window has left one. */
export function registerSample(
  services: Services,
): vscode.Disposable & { readonly stop: () => Promise<void> } {
  const { link, log } = services;
  const host = new LazyPart(async () => {
    const { SampleHost } = await import("./sample-host.ts");
    return new SampleHost(services);
  });
  let isLoaded = false;
  const load = () => {
    isLoaded = true;
    return host.get();
  };
  const removeLeft = async () => {
    if (!isLoaded) await closeLeftPanels();
    if (await hasLeftFolders()) await (await load()).removeLeft();
  };
  const connected = link.onClient(() => {
    connected.dispose();
    // Set by a program that shows the sample, such as `npm run try -- --sample`.
    if (process.env["PURSER_OPEN_SAMPLE"] === "1") void vscode.commands.executeCommand("purser.openSample");
    void removeLeft().catch((error: unknown) => log.error(String(error)));
  });
  const owned = vscode.Disposable.from(
    connected,
    ...sampleCommands.map((command) =>
      vscode.commands.registerCommand(command, async (target?: unknown) =>
        (await load()).run(command, target),
      ),
    ),
  );
  return {
    dispose: () => void owned.dispose(),
    stop: async () => {
      if (isLoaded) await (await host.get()).close();
    },
  };
}

/**
 * Closes the panels of a sample that the window still shows after its extension host was killed. The editor
 * starts another host, without the sample.
 */
async function closeLeftPanels(): Promise<void> {
  const { tabGroups } = vscode.window;
  const left = tabGroups.all.flatMap(({ tabs }) =>
    tabs.filter(
      ({ input }) => input instanceof vscode.TabInputWebview && /purser\.\w+\.sample$/u.test(input.viewType),
    ),
  );
  if (left.length > 0) await tabGroups.close(left, true);
  await vscode.commands.executeCommand("setContext", "purser.isSampleOpen", false);
}

async function hasLeftFolders(): Promise<boolean> {
  try {
    return (await readdir(os.tmpdir())).some((name) => name.startsWith(samplePrefix));
  } catch (error) {
    rethrowUnlessSystemError(error);
    return false;
  }
}
