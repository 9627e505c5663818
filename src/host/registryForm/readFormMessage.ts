import {
  type FormPageMessage,
  formPageMessageSchema,
} from '../../protocol/registryForm/formMessages.ts';

// A bundle of its own, loaded with the first form: zod stays out of what VS Code loads at activation.

/** What a page has said; null when it is none of the messages that are understood. */
export function readFormMessage(message: unknown): FormPageMessage | null {
  const parsed = formPageMessageSchema.safeParse(message);
  return parsed.success ? parsed.data : null;
}
