import { once } from "node:events";
import { createServer, request as httpRequest } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { Socket } from "node:net";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { certificateFor } from "./certificate.ts";

const host = "api.anthropic.com";

/** The official address of the API, played on loopback. */
export interface OfficialAddress {
  /** The variables with which an agent reaches it. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/**
 * Plays the official address for an agent that must not be given another one. A proxy on loopback takes the agent's connection, ends its
 * encryption with a certificate made for this run, and hands every request to a stand-in. Nothing leaves the machine.
 * @param folder where the certificate is written
 */
export async function playOfficialAddress(standIn: string, folder: string): Promise<OfficialAddress> {
  const { key, certificate } = certificateFor(host);
  const file = join(folder, "stand-in.pem");
  await writeFile(file, certificate);
  const sockets = new Set<Socket>();
  const secure = createSecureServer({ key, cert: certificate }, (incoming, response) => {
    const { method, headers, url } = incoming;
    const own = { ...headers, host: new URL(standIn).host };
    const passed = httpRequest(new URL(url ?? "/", standIn), { method, headers: own }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on("error", () => response.destroy());
    incoming.pipe(passed);
  });
  const proxy = createServer((_incoming, response) => {
    response.writeHead(403).end();
  });
  proxy.on("connect", (incoming, socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    if (incoming.url !== `${host}:443`) {
      socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
      return;
    }
    socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    secure.emit("connection", socket);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const address = proxy.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  return {
    env: {
      HTTPS_PROXY: `http://127.0.0.1:${address.port}`,
      NODE_EXTRA_CA_CERTS: file,
      NO_PROXY: "127.0.0.1",
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      await once(proxy, "close");
    },
  };
}
