import * as z from "zod/mini";

export interface RequestKind<Params, Answer, Method extends string = string> {
  readonly method: Method;
  readonly params: z.ZodMiniType<Params>;
  readonly answer: z.ZodMiniType<Answer>;
}

export interface NoticeKind<Params, Method extends string = string> {
  readonly method: Method;
  readonly params: z.ZodMiniType<Params>;
}

export function request<Params, Answer, Method extends string>(
  name: Method,
  { params, answer }: { params: z.ZodMiniType<Params>; answer: z.ZodMiniType<Answer> },
): RequestKind<Params, Answer, Method> {
  return { method: name, params, answer };
}

export function notice<Params, Method extends string>(
  name: Method,
  params: z.ZodMiniType<Params>,
): NoticeKind<Params, Method> {
  return { method: name, params };
}
