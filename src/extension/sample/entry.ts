import { readdir } from "node:fs/promises";
import os from "node:os";
import * as vscode from "vscode";
import { errorCode } from "../../engine/base/error-code.ts";
import { LazyPart } from "../editor/lazy-part.ts";
import type { Services } from "../services.ts";
import { sampleCommands } from "./commands.ts";
import { samplePrefix } from "./prefix.ts";

/** Registers the sample, whose code is loaded when it is opened, or when a killed window has left one. */
export function registerSample(
  services: Services,
): vscode.Disposable & { readonly stop: () => Promise<void> } {
  const { link, log } = services;
  const host = new LazyPart(async () => {
    const { SampleHost } = await import("./host.ts");
    return new SampleHost(services);
  });
  let isLoaded = false;
  const load = () => {
    isLoaded = true;
    return host.get();
  };
  const connected = link.onClient(() => {
    connected.dispose();
    void hasLeftFolders()
      .then(async (isLeft) => (isLeft ? await (await load()).removeLeft() : undefined))
      .catch((error: unknown) => log.error(String(error)));
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

async function hasLeftFolders(): Promise<boolean> {
  try {
    return (await readdir(os.tmpdir())).some((name) => name.startsWith(samplePrefix));
  } catch (error) {
    errorCode(error);
    return false;
  }
}
