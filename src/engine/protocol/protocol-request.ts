import * as z from "zod";

/** A request with the schemas of its parameters and its answer. */
export interface RequestKind<Params, Answer, Method extends string = string> {
  readonly method: Method;
  readonly params: z.ZodType<Params>;
  readonly answer: z.ZodType<Answer>;
}

/** A notification, which is not answered. */
export interface NoticeKind<Params, Method extends string = string> {
  readonly method: Method;
  readonly params: z.ZodType<Params>;
}

export function request<Params, Answer, Method extends string>(
  name: Method,
  { params, answer }: { params: z.ZodType<Params>; answer: z.ZodType<Answer> },
): RequestKind<Params, Answer, Method> {
  return { method: name, params, answer };
}

export function notice<Params, Method extends string>(
  name: Method,
  params: z.ZodType<Params>,
): NoticeKind<Params, Method> {
  return { method: name, params };
}
