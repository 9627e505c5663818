/** Ollama's port when nobody says another. */
const PORT = '11434';

/**
 * The address that OLLAMA_HOST means, as the programs of Ollama read it: scheme and port may be missing, and an address to
 * listen on everywhere is asked here. Null: it means none.
 */
export function ollamaAddress(host: string | undefined): string | null {
  const text = (host ?? '').trim().replace(/^["']|["']$/g, '');
  if (text === '') return `http://127.0.0.1:${PORT}`;
  const hasScheme = /^https?:\/\//i.test(text);
  if (!hasScheme && text.includes('://')) return null;
  const bare = /^:\d+$/.test(text) ? `127.0.0.1${text}` : text;
  const isIpV6 = !hasScheme && /^[0-9a-f:]+$/i.test(bare) && bare.split(':').length > 2;
  const url = URL.parse(hasScheme ? bare : `http://${isIpV6 ? `[${bare}]` : bare}`);
  if (url === null || url.username !== '' || url.password !== '') return null;
  const hostname = /^(0\.0\.0\.0|\[::\])$/.test(url.hostname) ? '127.0.0.1' : url.hostname;
  // With a scheme its usual port holds, as Ollama has it.
  const hasPort = url.port !== '' || hasScheme || /:80$/.test(bare);
  const port = url.port === '' ? (hasPort ? '' : `:${PORT}`) : `:${url.port}`;
  return `${url.protocol}//${hostname}${port}${url.pathname.replace(/\/+$/, '')}`;
}
