import type { CodeLens } from 'vscode-languageserver/node';
import { endpointFacts } from './live/endpointFacts.ts';
import { liveLine } from './live/liveWords.ts';
import type { ModelsDocument } from './modelsDocuments.ts';

/** Of the extension; its argument is the name of the endpoint. */
const PROBE_COMMAND = 'delegationBridge.probeEndpoint';

/** One on each endpoint: what it said when it was asked, and a click asks it again. */
export function codeLenses(doc: ModelsDocument, nowMs: number): CodeLens[] {
  if (!doc.isOurs) return [];
  const { document, live, loaded, parsed } = doc;
  return doc.outline.entries.flatMap(({ path, key, keyText }) => {
    if (path[0] !== 'endpoints' || path.length !== 2 || key === null) return [];
    const baseUrl =
      parsed.parts.endpoints?.[keyText]?.base_url ?? loaded.config.endpoints[keyText]?.base_url;
    if (baseUrl === undefined) return [];
    const facts = endpointFacts(live, keyText, baseUrl);
    const start = document.positionAt(key.start);
    return [
      {
        range: { start, end: document.positionAt(key.end) },
        command: {
          title: facts === null ? 'Probe' : `Probe · ${liveLine(facts, live, nowMs)}`,
          command: PROBE_COMMAND,
          arguments: [keyText],
        },
      },
    ];
  });
}
