import { contentBlocks, isBlock } from './contentBlocks.ts';
import { isJsonObject, type JsonObject } from './jsonObject.ts';

/** Characters per token of English and code, on average over common tokenizers. */
const CHARS_PER_TOKEN = 3.6;
/** What one image costs about; its base64 text says nothing. */
const TOKENS_PER_IMAGE = 1500;

/** The number of tokens of a prompt by an endpoint's tokenizer, or null when it has none. */
export type Tokenizer = (text: string) => Promise<number | null>;

/** Counts the tokens of a `count_tokens` body for an endpoint that cannot: by its tokenizer, else an estimate. */
export async function countTokens(
  body: JsonObject,
  tokenize: Tokenizer | null,
): Promise<{ inputTokens: number; source: 'tokenizer' | 'estimate' }> {
  const prompt: Prompt = { texts: [], images: 0 };
  addContent(prompt, body['system']);
  for (const tool of Array.isArray(body['tools']) ? (body['tools'] as readonly unknown[]) : []) {
    prompt.texts.push(JSON.stringify(tool));
  }
  for (const message of Array.isArray(body['messages'])
    ? (body['messages'] as readonly unknown[])
    : []) {
    if (isJsonObject(message)) addContent(prompt, message['content']);
  }
  const text = prompt.texts.join('\n');
  const ofImages = prompt.images * TOKENS_PER_IMAGE;
  const counted = tokenize === null ? null : await tokenize(text);
  if (counted !== null)
    return { inputTokens: Math.max(1, counted + ofImages), source: 'tokenizer' };
  return {
    inputTokens: Math.max(1, Math.ceil(text.length / CHARS_PER_TOKEN) + ofImages),
    source: 'estimate',
  };
}

interface Prompt {
  texts: string[];
  images: number;
}

function addContent(prompt: Prompt, content: unknown): void {
  for (const block of contentBlocks(content) ?? []) {
    if (isBlock(block, 'image') || isBlock(block, 'document')) prompt.images += 1;
    else if (isBlock(block, 'tool_result')) addContent(prompt, block['content']);
    else if (isJsonObject(block) && typeof block['text'] === 'string')
      prompt.texts.push(block['text']);
    else prompt.texts.push(JSON.stringify(block) ?? '');
  }
}
