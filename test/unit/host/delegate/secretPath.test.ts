import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { isLikelySecret } from '../../../../src/host/delegate/secretPath.ts';

describe('isLikelySecret', () => {
  const secret = [
    '.env',
    'app/.env.production',
    '.ENV.local',
    'C:\\work\\.env',
    'server.pem',
    'tls/site.key',
    'id_rsa',
    '.ssh/config',
    'home/.aws/config',
    '.npmrc',
    '.netrc',
    'credentials.json',
    'secrets.yaml',
    'service-account-prod.json',
    'prod.tfvars',
  ];
  const harmless = [
    '.env.example',
    'env.ts',
    'src/environment.ts',
    'README.md',
    'keys.ts',
    'id_rsa.pub',
    'secretary.ts',
    'src/credentials.ts',
    'package.json',
  ];
  for (const path of secret)
    it(`asks about ${path}`, () => assert.equal(isLikelySecret(path), true));
  for (const path of harmless)
    it(`does not ask about ${path}`, () => assert.equal(isLikelySecret(path), false));
});
