import assert from "node:assert/strict";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { eventually, test } from "./harness.ts";
import { beginSession, closeEditor, opensTranscript, workspaceFolder } from "./support/inside-session.ts";

const recordSchema = z.object({ pid: z.number(), token: z.string() });

function purserHome(): string {
  const folder = process.env["PURSER_HOME"];
  assert.ok(folder, "the tests need a PURSER_HOME of their own");
  return folder;
}

/** The service's record; undefined while there is none. */
async function record(): Promise<z.infer<typeof recordSchema> | undefined> {
  const text = await readFile(join(purserHome(), "service.json"), "utf8").catch(() => undefined);
  return text === undefined ? undefined : recordSchema.parse(JSON.parse(text));
}

/** Asserts that the window learns of a session started now. */
async function seesNewSession(): Promise<void> {
  const { id, transcript } = await beginSession(workspaceFolder());
  await eventually("a session begun just now", async () =>
    (await opensTranscript(id, transcript)) ? true : undefined,
  );
  await closeEditor();
}

async function nextRecord(token: string): Promise<z.infer<typeof recordSchema>> {
  return await eventually("another service", async () => {
    const next = await record();
    return next === undefined || next.token === token ? undefined : next;
  });
}

test("a service in its own process sends data to this window", async () => {
  const { pid } = await eventually("the service", record);
  assert.notEqual(pid, process.pid);
  await seesNewSession();
});

test("another service answers within seconds after one was killed", async () => {
  const { pid, token } = await eventually("the service", record);
  process.kill(pid, "SIGKILL");
  const next = await nextRecord(token);
  assert.notEqual(next.pid, pid);
  await seesNewSession();
});

test("a thread of the extension host serves if no process can start, and again after it was asked to end", async () => {
  const { pid, token } = await eventually("the service", record);
  // A process requires a writable log; a thread does not.
  const log = join(purserHome(), "service.log");
  await rm(log, { force: true });
  await mkdir(log);
  try {
    process.kill(pid, "SIGTERM");
    const next = await nextRecord(token);
    assert.equal(next.pid, process.pid);
    await seesNewSession();
  } finally {
    await rm(log, { recursive: true });
  }
});
