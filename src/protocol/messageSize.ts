import { MAX_REVIEW_FILE_BYTES } from './ui/maxReviewFileBytes.ts';

/** Longest message between server and client, in characters: the largest file that is shown, as base64, and what stands around it. */
export const MAX_MESSAGE_LENGTH = Math.ceil(MAX_REVIEW_FILE_BYTES / 3) * 4 + 1024 * 1024;
