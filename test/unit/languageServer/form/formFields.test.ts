import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { modelsJsonSchema } from '../../../../src/config/jsonSchema.ts';
import { formFields } from '../../../../src/languageServer/form/formFields.ts';
import {
  type FormField,
  formFieldSchema,
} from '../../../../src/protocol/modelsLanguage/formState.ts';

interface JsonSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: JsonSchema;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
}

/** Every field with its path; `*` stands for a free name. */
function everyField(field: FormField, path: readonly string[] = []): [string, FormField][] {
  const inner = [
    ...(field.fields ?? []).map((each) => [each.key, each] as const),
    ...(field.entry === undefined ? [] : [['*', field.entry] as const]),
  ];
  return inner.flatMap(([key, each]) => [
    [[...path, key].join('.'), each] as [string, FormField],
    ...everyField(each, [...path, key]),
  ]);
}

/** Every key of the JSON Schema, which is generated from the zod schema by another walk than the fields. */
function everyKey(schema: JsonSchema, path: readonly string[] = []): [string, JsonSchema][] {
  const free = schema.additionalProperties;
  const inner: [string, JsonSchema][] = [
    ...Object.entries(schema.properties ?? {}),
    ...(typeof free === 'object' && free.properties !== undefined
      ? [['*', free] as [string, JsonSchema]]
      : []),
  ];
  return inner.flatMap(([key, each]) => [
    [[...path, key].join('.'), each] as [string, JsonSchema],
    ...everyKey(each, [...path, key]),
  ]);
}

/** What the JSON Schema says about how a key is entered. */
function kindsFor(schema: JsonSchema): readonly FormField['kind'][] {
  const { anyOf } = schema;
  if (anyOf !== undefined) {
    // A value that may be null is entered like one that may not.
    const real = anyOf.filter(({ type }) => type !== 'null');
    if (real.length === 1) return kindsFor(real[0] ?? {});
    const types = real.map(({ type, enum: words, const: word }) =>
      words !== undefined || word !== undefined ? 'word' : type,
    );
    switch (types.join(' ')) {
      case 'string object':
        return ['textOrMap'];
      case 'word integer':
      case 'word number':
        return ['numberOrAuto'];
      case 'word array':
        return ['listOrWord'];
      case 'word boolean':
        return ['switchOrWord'];
      default:
        return [];
    }
  }
  if (schema.enum !== undefined) return ['choice'];
  switch (schema.type) {
    case 'string':
      return ['text', 'longText'];
    case 'integer':
      return ['integer'];
    case 'number':
      return ['number'];
    case 'boolean':
      return ['switch'];
    case 'array':
      return [schema.items?.enum === undefined ? 'list' : 'choiceList'];
    case 'object': {
      const { additionalProperties: free } = schema;
      if (typeof free !== 'object') return ['group'];
      if (free.type === 'string') return ['map'];
      return [free.type === 'array' ? 'chains' : 'entries'];
    }
    default:
      return [];
  }
}

describe('the fields of the form', () => {
  const root = formFields();
  const fields = new Map(everyField(root));
  const keys = new Map(everyKey(modelsJsonSchema()));

  it('are one for each key of the schema, and no other', () => {
    assert.deepEqual([...fields.keys()].sort(), [...keys.keys()].sort());
    assert.ok(fields.size > 110, String(fields.size));
  });

  it('are entered as the schema takes the value', () => {
    const wrong = [...fields].filter(
      ([path, { kind }]) => !kindsFor(keys.get(path) ?? {}).includes(kind),
    );
    assert.deepEqual(wrong, []);
  });

  it('say of each key what the schema says: words, default, example, choices', () => {
    for (const [path, field] of fields) {
      const key = keys.get(path) ?? {};
      assert.equal(field.description, key.description ?? '', path);
      const isFilled = (value: unknown): boolean =>
        JSON.stringify(value) !== '{}' && value !== undefined;
      if (isFilled(key.default)) assert.deepEqual(field.default, key.default, path);
      assert.deepEqual(field.example, key.examples?.[0], path);
      const words = (key.anyOf ?? [key]).flatMap(({ enum: each, const: one }) =>
        one === undefined ? (each ?? []) : [one],
      );
      assert.deepEqual(field.choices ?? [], key.items?.enum ?? words, path);
    }
  });

  it('have the limits of the schema', () => {
    for (const [path, field] of fields) {
      const key = keys.get(path) ?? {};
      const number = [key, ...(key.anyOf ?? [])].find(({ type }) =>
        /number|integer/.test(type ?? ''),
      );
      if (number === undefined) {
        assert.equal(field.minimum, undefined, path);
        continue;
      }
      const { minimum, exclusiveMinimum, type } = number;
      const above =
        exclusiveMinimum === undefined
          ? undefined
          : exclusiveMinimum + (type === 'integer' ? 1 : 0);
      assert.equal(field.minimum, minimum ?? above, path);
      assert.equal(field.maximum, number.maximum, path);
    }
  });

  it('say which keys have no effect yet', () => {
    const inactive = [...fields].filter(([, { isInactive }]) => isInactive).map(([path]) => path);
    assert.ok(inactive.includes('runners.codex'), inactive.join(' '));
    assert.ok(inactive.includes('models.*.priced_on'));
    assert.ok(!inactive.includes('endpoints.*.base_url'));
  });

  it('are understood by the page', () => {
    assert.deepEqual(formFieldSchema.parse(JSON.parse(JSON.stringify(root))), root);
  });
});
