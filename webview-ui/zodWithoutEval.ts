import * as z from 'zod';

// For its effect, imported before any schema: else zod tries whether it may compile code, and the page's policy reports that.
z.config({ jitless: true });
