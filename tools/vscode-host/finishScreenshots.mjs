import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** Puts the pictures of a run where the README finds them, with a palette of 256 colours where pngquant is at hand. */
export function finishScreenshots(from, to) {
  fs.mkdirSync(to, { recursive: true });
  for (const name of fs.existsSync(from) ? fs.readdirSync(from) : []) {
    const file = path.join(from, name);
    const quant = spawnSync('pngquant', [
      '--force',
      '--skip-if-larger',
      '--strip',
      '--ext',
      '.png',
      file,
    ]);
    if (quant.error?.code === 'ENOENT')
      console.log(`${name}: pngquant is missing, the picture is large`);
    fs.copyFileSync(file, path.join(to, name));
    console.log(`${path.join(to, name)} ${Math.round(fs.statSync(file).size / 1024)} kB`);
  }
}
