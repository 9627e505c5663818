import { formFields } from '../src/languageServer/form/formFields.ts';

const BEGIN = '<!-- sections of models.yaml: written by "npm run generate" -->';
const END = '<!-- end of sections -->';

/**
 * The README with its table of the sections of models.yaml as the schema has them.
 * @throws Error when the README has no place for it
 */
export function readmeWithSections(readme: string): string {
  const begin = readme.indexOf(BEGIN);
  const end = readme.indexOf(END);
  if (begin < 0 || end < begin)
    throw new Error(`README.md has no line ${BEGIN} with ${END} after it.`);
  const rows = (formFields().fields ?? []).map(
    ({ key, description, isInactive }) =>
      `| [\`${key}\`](docs/models-yaml.md#${key}) | ${description.replace(/[\\`*_<>|[\]]/g, '\\$&')}${isInactive === true ? ' Not in this version.' : ''} |`,
  );
  const table = ['| section | what it is for |', '| --- | --- |', ...rows].join('\n');
  return `${readme.slice(0, begin)}${BEGIN}\n\n${table}\n\n${readme.slice(end)}`;
}
