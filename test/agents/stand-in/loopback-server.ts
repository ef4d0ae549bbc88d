import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";

/** Handles one request whose body was read. */
export type Answer = (
  incoming: IncomingMessage,
  body: string,
  response: ServerResponse,
) => void | Promise<void>;

export interface LoopbackServer {
  /** URL without a path. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

/**
 * Starts a server on a free port of 127.0.0.1. It stops by itself after `lifeMs`, so that a killed test leaves nothing
 * behind. `onFailure` gets the errors that `answer` throws, and answers instead.
 */
export async function serveLoopback(options: {
  readonly lifeMs: number;
  readonly answer: Answer;
  readonly onFailure: (error: unknown, response: ServerResponse) => void;
}): Promise<LoopbackServer> {
  const server = createServer((incoming, response) => {
    readBody(incoming)
      .then((body) => options.answer(incoming, body, response))
      .catch((error: unknown) => options.onFailure(error, response));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the stand-in has no port");

  const close = async (): Promise<void> => {
    clearTimeout(timer);
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  };
  const timer = setTimeout(() => void close(), options.lifeMs);
  timer.unref();
  return { url: `http://127.0.0.1:${address.port}`, close };
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
