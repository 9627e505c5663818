import * as z from 'zod';

/** Metadata of a list that takes anything: the schema that its items should have, for the client to know. */
export const ITEMS_OF = 'items_of';

interface ObjectSchema {
  [key: string]: unknown;
  readonly type: 'object';
  readonly properties: Record<string, object>;
}

/**
 * JSON schemas of tools. Six tools answer with the whole job record, and to convert it takes most of the time from start to
 * `tools/list`: each field's schema is converted once.
 */
export class ToolSchemas {
  readonly #converted = new Map<
    unknown,
    { readonly schema: object; readonly isRequired: boolean }
  >();

  of(object: z.ZodObject): ObjectSchema {
    const properties: Record<string, object> = {};
    const required: string[] = [];
    for (const [name, field] of Object.entries(object.shape)) {
      const { schema, isRequired } = this.#convert(field as z.ZodType);
      properties[name] = schema;
      if (isRequired) required.push(name);
    }
    const isStrict = object.def.catchall instanceof z.ZodNever;
    return {
      type: 'object',
      properties,
      ...(required.length === 0 ? {} : { required }),
      ...(isStrict ? { additionalProperties: false } : {}),
    };
  }

  #convert(field: z.ZodType): { schema: object; isRequired: boolean } {
    // `answerSchema` wraps the same field anew for each tool.
    const inner =
      field instanceof z.ZodOptional && field.description === undefined ? field.unwrap() : field;
    const known = this.#converted.get(inner);
    const converted = known ?? {
      schema: this.#schemaOf(inner as z.ZodType),
      isRequired: !(inner instanceof z.ZodOptional),
    };
    this.#converted.set(inner, converted);
    return inner === field ? converted : { ...converted, isRequired: false };
  }

  #schemaOf(field: z.ZodType): object {
    const { [ITEMS_OF]: items, description } = field.meta() ?? {};
    return items instanceof z.ZodObject
      ? { type: 'array', description, items: this.of(items) }
      : schemaOf(field);
  }
}

function schemaOf(field: z.ZodType): object {
  const { $schema: _, ...schema } = z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' });
  return schema;
}
