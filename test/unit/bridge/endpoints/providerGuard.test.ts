import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { BridgeError } from '../../../../src/base/bridgeError.ts';
import {
  checkProviderHost,
  checkProviderUrl,
} from '../../../../src/bridge/endpoints/providerGuard.ts';
import type { ResolveHost } from '../../../../src/bridge/endpoints/resolveHost.ts';
import { resolveHost } from '../../../../src/bridge/endpoints/resolveHost.ts';
import { deniedIpv4, ipv4Text, ipv6Text } from './deniedHosts.ts';

/** Literal addresses are themselves; every other name is one that the test gave. */
function lookup(names: Readonly<Record<string, readonly string[]>>): ResolveHost {
  return async (hostname) => {
    if (/^[\d.]+$|:/.test(hostname)) return resolveHost(hostname);
    const found = names[hostname];
    if (found === undefined) throw new Error(`ENOTFOUND ${hostname}`);
    return found;
  };
}

async function kindOf(text: string, names = {}, allowed: string[] = []): Promise<string> {
  try {
    await checkProviderHost(checkProviderUrl(text, allowed), lookup(names));
    return 'let through';
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error;
    return error.kind;
  }
}

describe('providerGuard', () => {
  const names = {
    'api.example': ['93.184.216.34'],
    'near.example': ['127.0.0.1', '::1'],
    'rebound.example': ['169.254.169.254'],
    'both.example': ['93.184.216.34', '169.254.169.254'],
    'mapped.example': ['::ffff:169.254.169.254'],
    'nowhere.example': [],
    'metadata.google.internal': ['93.184.216.34'],
  };
  const table: [string, string][] = [
    ['https://api.example/v1/messages', 'let through'],
    ['  https://API.example:8443/x ', 'let through'],
    ['http://near.example', 'let through'],
    ['http://127.0.0.1:8080', 'let through'],
    ['http://[::1]:8080', 'let through'],
    ['http://10.0.0.7/v1', 'let through'],
    ['https://rebound.example', 'policy_refused'],
    ['https://both.example', 'policy_refused'],
    ['https://mapped.example', 'policy_refused'],
    ['https://nowhere.example', 'policy_refused'],
    ['https://unknown.example', 'policy_refused'],
    ['https://metadata.google.internal/', 'policy_refused'],
    ['https://METADATA.google.internal./', 'policy_refused'],
    ['http://metadata/', 'policy_refused'],
    ['http://instance-data.ec2.internal/latest', 'policy_refused'],
    ['http://169.254.169.254/latest', 'policy_refused'],
    ['http://2852039166/', 'policy_refused'],
    ['http://0xa9fea9fe/', 'policy_refused'],
    ['http://0251.0376.0251.0376/', 'policy_refused'],
    ['http://169.254.43518/', 'policy_refused'],
    ['http://①⑥⑨.254.169.254/', 'policy_refused'],
    ['http://169。254。169。254/', 'policy_refused'],
    ['http://%31%36%39.254.169.254/', 'policy_refused'],
    ['http://100.100.100.200/', 'policy_refused'],
    ['http://[fd00:ec2::254]/', 'policy_refused'],
    ['http://[::ffff:169.254.169.254]/', 'policy_refused'],
    ['http://[2002:a9fe:a9fe::1]/', 'policy_refused'],
    ['ftp://api.example', 'bad_argument'],
    ['file:///etc/passwd', 'bad_argument'],
    ['gopher://api.example', 'bad_argument'],
    ['api.example/v1', 'bad_argument'],
    ['https://', 'bad_argument'],
    ['', 'bad_argument'],
    ['https://user:pass@api.example', 'bad_argument'],
    ['https://token@api.example', 'bad_argument'],
  ];
  for (const [text, expected] of table) {
    it(`${JSON.stringify(text)}: ${expected}`, async () => {
      assert.equal(await kindOf(text, names), expected);
    });
  }

  const strict: [string, string][] = [
    ['https://api.example/v1', 'let through'],
    ['https://API.EXAMPLE./v1', 'let through'],
    ['https://near.example', 'policy_refused'],
    ['https://x.api.example', 'policy_refused'],
    ['https://api.example.evil', 'policy_refused'],
    ['http://127.0.0.1', 'policy_refused'],
    ['https://rebound.example', 'policy_refused'],
  ];
  for (const [text, expected] of strict) {
    it(`with a list of hosts, ${text}: ${expected}`, async () => {
      assert.equal(await kindOf(text, names, ['Api.Example', 'rebound.example']), expected);
    });
  }

  it('no way to write a denied address is let through', async () => {
    const host = fc.oneof(
      fc.tuple(deniedIpv4(), ipv4Text()).map(([parts, write]) => write(parts)),
      fc.tuple(deniedIpv4(), ipv6Text()).map(([parts, write]) => `[${write(parts)}]`),
    );
    await fc.assert(
      fc.asyncProperty(host, fc.constantFrom('', ':80', ':8443'), async (text, port) => {
        assert.equal(await kindOf(`http://${text}${port}/v1/messages`), 'policy_refused', text);
      }),
      { numRuns: 500 },
    );
  });

  it('never says the address back: it may hold what is secret', () => {
    assert.throws(
      () => checkProviderUrl('https://user:hunter2@api.example', []),
      (error: Error) => !error.message.includes('hunter2'),
    );
  });
});
