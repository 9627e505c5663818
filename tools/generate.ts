// Writes the files that are made from the code; with --check it only says whether they are up to date.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { format } from 'prettier';
import { exampleFile } from '../src/config/exampleFile.ts';
import { modelsJsonSchema } from '../src/config/jsonSchema.ts';
import { modelsYamlPage } from './modelsYamlPage.ts';
import { readmeWithSections } from './readmeSections.ts';

const root = path.join(import.meta.dirname, '..');
const isCheck = process.argv.includes('--check');

const files: Record<string, string> = {
  'models.example.yaml': exampleFile(),
  'models.schema.json': await format(JSON.stringify(modelsJsonSchema()), {
    parser: 'json',
    printWidth: 100,
  }),
  'docs/models-yaml.md': modelsYamlPage(),
  'README.md': readmeWithSections(await readFile(path.join(root, 'README.md'), 'utf8')),
};

const stale: string[] = [];
for (const [name, text] of Object.entries(files)) {
  const file = path.join(root, name);
  const present = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (present === text) continue;
  stale.push(name);
  if (!isCheck) await writeFile(file, text);
}

if (isCheck && stale.length > 0) {
  console.error(`Not up to date: ${stale.join(', ')}. Run "npm run generate".`);
  process.exitCode = 1;
} else console.log(stale.length === 0 ? 'Up to date.' : `Written: ${stale.join(', ')}.`);
