import fs from 'node:fs';
import path from 'node:path';

/** Families that a page asks for, and what stands for them where it is installed (setup.sh ... fonts). */
const PREFERRED = {
  'system-ui': 'Inter',
  'sans-serif': 'Inter',
  'Droid Sans Mono': 'JetBrains Mono',
  monospace: 'JetBrains Mono',
};

/** Writes a fontconfig file for Chromium below `folder`, so that pictures do not depend on the machine's taste; returns its path. */
export function fontsFile(folder) {
  const file = path.join(folder, 'fonts.conf');
  const rules = Object.entries(PREFERRED).map(
    ([family, preferred]) => `  <match target="pattern">
    <test name="family"><string>${family}</string></test>
    <edit name="family" mode="prepend" binding="strong"><string>${preferred}</string></edit>
  </match>`,
  );
  fs.writeFileSync(
    file,
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
${rules.join('\n')}
</fontconfig>
`,
  );
  return file;
}
