import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { serverRoot } from '../../../src/config/serverRoot.ts';
import { readAddress } from '../../../src/config/readAddress.ts';

describe('readAddress', () => {
  const table: [typed: string, address: string | null, note: RegExp | null][] = [
    ['', null, null],
    ['   ', null, null],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080', null],
    ['  http://127.0.0.1:8080/  ', 'http://127.0.0.1:8080', null],
    ['localhost:8080', 'http://localhost:8080', /http:\/\/ is put in front/],
    ['tower:11434', 'http://tower:11434', /put in front/],
    ['https://api.example.com', 'https://api.example.com', null],
    ['http://h:1/v1', 'http://h:1', /"\/v1" and what follows is added by itself; http:\/\/h:1 /],
    ['http://h:1/v1/messages', 'http://h:1', /added by itself/],
    ['http://h:1/v1/chat/completions', 'http://h:1', /added by itself/],
    ['https://openrouter.ai/api/v1', 'https://openrouter.ai/api', /https:\/\/openrouter\.ai\/api /],
    ['http://h:1/v1beta/models', 'http://h:1/v1beta/models', null],
    ['http://h:1/x?key=1#y', 'http://h:1/x', /left out/],
    ['http://localhost', 'http://localhost', /No port: 80 is asked\. llama\.cpp listens on 8080/],
    ['http://tower.lan', 'http://tower.lan', /No port/],
    ['http://api.example.com', 'http://api.example.com', null],
    ['[::1]:8080', 'http://[::1]:8080', /put in front/],
    ['::1', null, /in brackets.*http:\/\/\[::1\]:8080/],
    ['"http://h:1/v1",', 'http://h:1', /added by itself/],
    ['<http://h:1>', 'http://h:1', null],
    ['http://h:11434/api/tags', 'http://h:11434', /one of its pages/],
    ['http://h:1/x/health/', 'http://h:1/x', /one of its pages/],
    ['https://openrouter.ai/api', 'https://openrouter.ai/api', null],
    ['ftp://h/x', null, /not ftp:/],
    ['file:///etc/passwd', null, /not (file:|an address)|not an address/],
    ['http://user:pw@h:1', null, /Leave the login out/],
    ['user@h:1', null, /Leave the login out/],
    ['http://', null, /not an address/],
    ['http://a b', null, /not an address/],
    ['two words', null, /not an address/],
    ['http://h:99999', null, /not an address/],
  ];
  for (const [typed, address, note] of table) {
    it(`reads ${JSON.stringify(typed)}`, () => {
      const read = readAddress(typed);
      assert.equal(read.address, address);
      if (note === null) assert.equal(read.note, null);
      else assert.match(read.note?.message ?? '', note);
      assert.equal(read.note?.severity === 'error', address === null && note !== null);
    });
  }

  it('never gives an address that the configuration would write in another way', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
        const { address } = readAddress(url);
        if (address === null) return;
        assert.equal(serverRoot(address), address);
        assert.equal(readAddress(address).address, address);
      }),
    );
  });

  it('never throws, and says why when it gives no address', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const { address, note } = readAddress(text);
        if (address === null && text.trim() !== '') assert.equal(note?.severity, 'error');
        if (address !== null) assert.match(address, /^https?:\/\/[^/]/);
      }),
    );
  });
});
