import * as z from 'zod';

export const acceptResultSchema = z.object({
  status: z.enum(['applied', 'refused', 'nothing', 'dry-run']),
  applied: z.array(z.object({ path: z.string(), how: z.string() })),
  conflicts: z.array(
    z.object({
      path: z.string(),
      reason: z.enum([
        'overlap',
        'dirty_editor',
        'type',
        'deleted_by_user',
        'deleted_by_job',
        'exists',
        'binary',
        'forbidden',
        'unresolved',
        'changed_meanwhile',
        'changed_since',
      ]),
      message: z.string(),
    }),
  ),
  skipped: z.array(z.object({ path: z.string(), reason: z.string() })),
  undo_ref: z.string().nullable(),
  commit: z.string().nullable(),
  coverage: z.enum(['exact', 'merged']),
});
