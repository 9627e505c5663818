import * as z from 'zod';

/** A name that people choose (endpoint, gate, role). Not all digits: such keys lose their place in the order. */
const NAME = /^(?!\d+$)[A-Za-z0-9][A-Za-z0-9._-]*$/;
const RESERVED = new Set(['constructor', 'prototype']);

export const nameSchema = z
  .string()
  .regex(NAME, 'use letters, digits, ".", "_" and "-", not digits alone')
  .refine((name) => !RESERVED.has(name), 'this name is reserved');

/** A served id, a prefix or a glob of served ids. */
export const modelPatternSchema = z
  .string()
  .min(1, 'must not be empty')
  .refine((name) => !RESERVED.has(name) && name !== '__proto__', 'this name is reserved');

export const envNameSchema = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'use a name of letters, digits and "_"');

export const envMapSchema = z.record(envNameSchema, z.string());

/** Text that ends up in one argument, header or URL: no control characters that could split it. */
export const lineSchema = z
  .string()
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  .regex(/^[^\u0000-\u001f\u007f]*$/, 'must be one line without control characters');

export const wordSchema = lineSchema.min(1, 'must not be empty');

/** Seconds; bounded so that a timer in milliseconds never overflows its 31 bits. */
export const secondsSchema = z.number().positive().max(2_000_000);

export const countSchema = z.number().int().positive();
