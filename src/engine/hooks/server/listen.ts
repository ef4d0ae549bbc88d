import { randomInt } from "node:crypto";
import type { Server } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { errorCode } from "../../base/error-code.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { readHookServerAddress, writeHookServerAddress, type HookServerAddress } from "./address.ts";
import type { PurserPaths } from "../../base/disk/home.ts";
import { newToken } from "../../protocol/token.ts";
import { english } from "../../base/text/english.ts";

/** Below the systems' ephemeral ports, so that no outgoing connection holds our port when a service starts. */
const ports = { first: 20_000, end: 30_000 };
const attempts = 20;

/** Pauses before retrying the previous port, which the last service may be about to release. Milliseconds. */
const patience = [50, 200, 500];

export interface Listening {
  readonly address: HookServerAddress;
  /** The previous port, now taken by another process: settings that name it must be rewritten. Null if unchanged. */
  readonly movedFrom: number | null;
}

/**
 * Makes a server listen on loopback, at the previous port with the previous token. If another process holds the port,
 * picks a new port and a new token: every hook would show that process the old token.
 */
export async function listenForHooks(
  server: Server,
  home: PurserPaths,
): Promise<Result<Listening, "unwritable" | "unsafe_place">> {
  const known = readHookServerAddress(home);
  if (!known.ok) return known;
  const { value: before } = known;
  if (before !== null && (await listenPatiently(server, before.port)))
    return succeed({ address: before, movedFrom: null });
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const address = { port: randomInt(ports.first, ports.end), token: newToken() };
    if (!(await listen(server, address.port))) continue;
    try {
      writeHookServerAddress(home, address);
    } catch (error) {
      server.close();
      return fail("unwritable", `${home.hooks}: ${errorCode(error)}`);
    }
    return succeed({ address, movedFrom: before?.port ?? null });
  }
  return fail("unwritable", english("no port on loopback is free"));
}

async function listenPatiently(server: Server, port: number): Promise<boolean> {
  for (const time of patience) {
    if (await listen(server, port)) return true;
    await pause(time);
  }
  return await listen(server, port);
}

/** Returns whether the server is listening. */
function listen(server: Server, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const refuse = () => {
      server.off("listening", accept);
      resolve(false);
    };
    const accept = () => {
      server.off("error", refuse);
      resolve(true);
    };
    server.once("error", refuse);
    server.once("listening", accept);
    server.listen({ port, host: "127.0.0.1", exclusive: true });
  });
}
