import { connect, createServer, type Socket } from "node:net";
import path from "node:path";
import type { TestContext } from "node:test";
import type { ServeClient, ServedClient } from "../../../../src/engine/protocol/serve.ts";
import { readEnvelope } from "../../../../src/engine/protocol/envelope.ts";
import { Peer } from "../../../../src/engine/protocol/peer.ts";
import { scratchFolder } from "../../support/scratch.ts";

/** Both ends of a connection, one of which is served the given features. */
export async function servedPeer(
  t: Pick<TestContext, "after">,
  features: readonly ServeClient[],
): Promise<{ peer: Peer; far: Peer; served: ServedClient[]; problems: string[] }> {
  const address = path.join(scratchFolder(t), "peer.sock");
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(address, resolve));
  const accepted = new Promise<Socket>((resolve) => server.once("connection", resolve));
  const problems: string[] = [];
  const end = (socket: Socket) =>
    new Peer(socket, {
      limit: () => 1_000_000,
      admit: readEnvelope,
      onRefused: (why) => problems.push(why.text),
      onProblem: (message) => problems.push(message),
    });
  const peer = end(connect(address));
  const far = end(await accepted);
  const served = features.map((serve) => serve(far));
  for (const each of [peer, far]) each.listen();
  t.after(() => {
    for (const each of [peer, far]) each.dispose();
    server.close();
  });
  return { peer, far, served, problems };
}
