import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { BridgeError } from '../../../src/base/bridgeError.ts';
import { assertKeysMayGo } from '../../../src/bridge/adHocKeys.ts';
import type { Caller } from '../../../src/bridge/bridgeTypes.ts';
import { type EffectiveConfig, modelsFileSchema } from '../../../src/config/schema.ts';

const CONFIG = modelsFileSchema.parse({
  endpoints: {
    known: { base_url: 'https://known.example/api', api_key: '${secret:known}' },
    lanes: {
      base_url: 'https://lanes.example',
      api_key: { 'local-*': '${env:LOCAL}', '*': '${env:CODE}' },
      headers: { 'x-team': '${secret:team}' },
    },
  },
  runners: { loop: { provider_allowed_hosts: ['listed.example'] } },
}) as EffectiveConfig;

const caller = (kind: Caller['kind']): Caller => ({ kind, name: 'x', session: null, pid: null });

describe('assertKeysMayGo', () => {
  const rows: [string, string, string, 'agent' | 'person', boolean][] = [
    ['any secret to any host', 'https://evil.example', '${secret:known}', 'agent', false],
    ['any variable to any host', 'https://evil.example', '${env:AWS_SECRET}', 'agent', false],
    ['the same by a person', 'https://evil.example', '${secret:known}', 'person', true],
    ['to a listed host', 'https://LISTED.example./v1', '${env:ANY}', 'agent', true],
    ['its own key to a server', 'https://known.example/v1', '${secret:known}', 'agent', true],
    ['the key of another', 'https://known.example/v1', '${env:CODE}', 'agent', false],
    ['over another scheme', 'http://known.example/v1', '${secret:known}', 'agent', false],
    ['at another port', 'https://known.example:8443', '${secret:known}', 'agent', false],
    ['one of a map of keys', 'https://lanes.example', '${env:LOCAL}', 'agent', true],
    ['a header of the server', 'https://lanes.example', '${secret:team}', 'agent', true],
    ['no key at all', 'https://evil.example', '', 'agent', true],
  ];
  for (const [what, url, apiKey, kind, isAllowed] of rows) {
    it(`${what}, called by ${kind}: ${isAllowed ? 'may go' : 'refused'}`, () => {
      for (const provider of [
        { url, model: 'm', apiKey },
        { url, model: 'm', headers: { authorization: `Bearer ${apiKey}` } },
      ]) {
        const check = (): void => assertKeysMayGo(provider, CONFIG, caller(kind));
        if (isAllowed) check();
        else assert.throws(check, (error) => BridgeError.is(error, 'policy_refused'));
      }
    });
  }
});
