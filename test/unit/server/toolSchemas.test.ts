import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import * as z from 'zod';
import { profileTools } from '../../../src/server/profileTools.ts';
import { PROFILES } from '../../../src/server/serverOptions.ts';
import { ITEMS_OF, ToolSchemas } from '../../../src/server/toolSchemas.ts';

describe('ToolSchemas', () => {
  for (const profile of PROFILES) {
    it(`says of the tools of ${profile} what zod says`, async () => {
      const schemas = new ToolSchemas();
      for (const tool of (await profileTools(profile, false)).offered) {
        for (const schema of [tool.input, tool.output]) {
          const expected = whatZodSays(schema);
          if (JSON.stringify(expected.additionalProperties) === '{}')
            delete expected.additionalProperties;
          for (const [name, field] of Object.entries(schema.shape)) {
            const { [ITEMS_OF]: items, description } = (field as z.ZodType).meta() ?? {};
            if (!(items instanceof z.ZodObject) || expected.properties === undefined) continue;
            expected.properties[name] = {
              type: 'array',
              ...(description === undefined ? {} : { description }),
              items: whatZodSays(items),
            };
          }
          const sorted = (value: object & { required?: string[] | undefined }): object => ({
            ...value,
            required: [...(value.required ?? [])].sort(),
          });
          assert.deepEqual(sorted(schemas.of(schema)), sorted(expected), tool.name);
        }
      }
    });
  }
});

type JsonSchema = z.core.JSONSchema.ObjectSchema;

function whatZodSays(schema: z.ZodObject): JsonSchema {
  const said = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  delete said.$schema;
  return said as JsonSchema;
}
