import type { Disposable } from "../../base/disposable.ts";
import { fail, succeed } from "../../base/result.ts";
import { feature, type Client, type Feature, type Handlers } from "./feature.ts";
import type { MessageQueue } from "../../hooks/messages/queue.ts";
import type { messageRequests } from "../../hooks/message-requests.ts";
import { english } from "../../base/text/english.ts";

const missing = fail("no_messages", english("this service answers no hooks"));

/**
 * Messages between agents, which clients may let their users decide about.
 * @param part undefined where hooks are not answered
 */
export function messageFeature(part: MessageQueue | undefined): Feature {
  return feature({ part, missing, handlers });
}

function handlers(client: Client): Handlers<MessageQueue, keyof typeof messageRequests> {
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
          asked: (question) => void client.notify("messageAsked", question),
          settled: (settlement) => void client.notify("messageSettled", settlement),
        });
      return succeed({});
    },
    messageAnswer: (queue, { id, decision }) => succeed({ isTaken: queue.answer(id, decision) }),
  };
}
