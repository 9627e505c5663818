import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  addressClass,
  isNearby,
  type AddressClass,
} from '../../../../src/bridge/endpoints/addressClass.ts';

describe('addressClass', () => {
  const table: Readonly<Record<AddressClass, readonly string[]>> = {
    loopback: [
      '127.0.0.1',
      '127.255.1.2',
      '0.0.0.0',
      '::1',
      '[::1]',
      '::',
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '0:0:0:0:0:ffff:127.0.0.1',
    ],
    lan: [
      '10.1.2.3',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '169.254.1.1',
      'fc00::1',
      'fd12::1',
      'fe80::1',
      'fe80::1%eth0',
      '::ffff:192.168.1.1',
    ],
    tailnet: [
      '100.64.0.1',
      '100.127.255.255',
      'fd7a:115c:a1e0::1',
      'fd7a:115c:a1e0:ab12:4843:cd96:6265:1234',
    ],
    metadata: [
      '169.254.169.254',
      '::ffff:169.254.169.254',
      '::ffff:a9fe:a9fe',
      'fd00:ec2::254',
      '100.100.100.200',
    ],
    public: [
      '8.8.8.8',
      '172.32.0.1',
      '172.15.0.1',
      '100.63.255.255',
      '100.128.0.0',
      '192.169.0.1',
      '11.0.0.0',
      '2001:db8::1',
      '2606:4700::1',
      '::ffff:8.8.8.8',
      '::ffff:808:808',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
      'fec0::1',
      '',
      'localhost',
      '127.0.0.1.evil.example',
    ],
  };
  for (const [expected, addresses] of Object.entries(table)) {
    for (const address of addresses) {
      it(`${address || 'no address'} is ${expected}`, () =>
        assert.equal(addressClass(address), expected));
    }
  }

  it('an IPv4 address is in the same place when it is mapped into IPv6', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        assert.equal(addressClass(`::ffff:${address}`), addressClass(address));
      }),
    );
  });

  it('only loopback, LAN and tailnet are near', () => {
    assert.deepEqual(
      ['127.0.0.1', '10.0.0.1', '100.64.0.1', '169.254.169.254', '8.8.8.8'].map(isNearby),
      [true, true, true, false, false],
    );
  });
});
