#!/usr/bin/env node
// `delegate wait` under the name that agents written for delegate-local call.
// Old syntax on purpose: an old Node has to get as far as the sentence below.
'use strict';

var parts = process.versions.node.split('.').map(Number);

if (parts[0] < 22 || (parts[0] === 22 && parts[1] < 13)) {
  console.error(
    'delegate-wait needs Node 22.13 or newer; this is Node ' + process.versions.node + '.',
  );
  process.exitCode = 1;
} else {
  process.argv.splice(2, 0, 'wait');
  require('../dist/cli.cjs');
}
