import type { Disposable } from "../../base/disposable.ts";
import { fail, succeed } from "../../base/result.ts";
import { serve, type Client, type ServeClient, type Handlers } from "../../protocol/serve.ts";
import type { MessageQueue } from "./queue.ts";
import { messageNotices, messageRequests } from "../message-requests.ts";
import { english } from "../../base/text/english.ts";

const missing = fail("no_messages", english("this service answers no hooks"));

/**
 * Messages between agents, which clients may let their users decide about.
 * @param part undefined where hooks are not answered
 */
export function serveMessages(part: MessageQueue | undefined): ServeClient {
  return serve({
    requests: messageRequests,
    part,
    missing,
    handlers,
  });
}

function handlers(client: Client): Handlers<MessageQueue, typeof messageRequests> {
  let following: Disposable | undefined;
  const letGo = () => {
    following?.dispose();
    following = undefined;
  };
  client.owned.add({ dispose: letGo });
  return {
    messagesFollow(queue, { folders }) {
      letGo();
      if (folders.length > 0 && !client.isOver)
        following = queue.follow(folders, {
          asked: (question) => void client.notify(messageNotices.messageAsked, question),
          settled: (settlement) => void client.notify(messageNotices.messageSettled, settlement),
        });
      return succeed({});
    },
    messageAnswer: (queue, { id, decision }) => succeed({ isTaken: queue.answer(id, decision) }),
  };
}
