import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { isMetadataAddress } from '../../../../src/bridge/endpoints/metadataAddress.ts';
import { deniedIpv4, ipv6Text } from './deniedHosts.ts';

describe('isMetadataAddress', () => {
  const denied = [
    '169.254.169.254',
    '169.254.0.1',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    'fe80::1',
    'fe80::1%eth0',
    'febf::1',
    'fd00:ec2::254',
    'FD00:0EC2:0:0:0:0:0:254',
    'fd20:ce::254',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '0:0:0:0:0:ffff:169.254.169.254',
    '::169.254.169.254',
    '::a9fe:a9fe',
    '::ffff:0:169.254.169.254',
    '64:ff9b::169.254.169.254',
    '64:ff9b:1::a9fe:a9fe',
    '2002:a9fe:a9fe::',
    '2002:a9fe:a9fe::1',
    '2001:0:1:2:3:4:5601:5601',
    '2001:db8::5efe:169.254.169.254',
    '[::ffff:6464:64c8]',
    '::ffff:100.100.100.200',
    'not an address',
    '',
  ];
  for (const address of denied) {
    it(`${address} is one`, () => assert.equal(isMetadataAddress(address), true));
  }

  const allowed = [
    '127.0.0.1',
    '::1',
    '::',
    '0.0.0.0',
    '10.0.0.1',
    '192.168.1.1',
    '100.100.100.201',
    '100.64.0.1',
    '169.253.255.255',
    '169.255.0.0',
    'fd00:ec3::254',
    'fd12::1',
    'fec0::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '2002:808:808::1',
    '64:ff9b::808:808',
    '2606:4700::1111',
  ];
  for (const address of allowed) {
    it(`${address} is none`, () => assert.equal(isMetadataAddress(address), false));
  }

  it('no IPv6 form of a denied IPv4 address is let through', () => {
    fc.assert(
      fc.property(deniedIpv4(), ipv6Text(), (parts, form) => {
        const text = form(parts);
        assert.equal(isMetadataAddress(text), true, text);
      }),
      { numRuns: 500 },
    );
  });
});
