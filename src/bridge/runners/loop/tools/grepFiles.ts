import { join } from 'node:path';
import type { BoundedList } from './boundedList.ts';
import type { PathTest } from './pathGlob.ts';
import { FolderWalk } from './folderWalk.ts';
import { openFile, type OpenedFile } from './openFile.ts';
import { searchFile } from './searchFile.ts';
import type { SearchPattern } from './searchPattern.ts';
import { showPath } from './showPath.ts';
import type { StartPlace } from './startFolder.ts';
import { TimedWork } from './timedWork.ts';
import { ToolRefusal } from './toolRefusal.ts';
import type { WorkPath } from './workPath.ts';

const TIME_LIMIT_MS = 20_000;

export interface GrepWanted {
  readonly root: string;
  readonly start: StartPlace;
  readonly pattern: SearchPattern;
  readonly isWanted: PathTest;
  /** Paths that the agent file keeps from the model. */
  readonly isForbidden: PathTest;
  readonly isIgnoredWanted: boolean;
  readonly areFilesOnly: boolean;
  readonly maxReadBytes: number;
  readonly signal: AbortSignal;
}

/** What a search did; what was left out is counted, so that "nothing found" is never more than it is. */
export interface GrepCount {
  searched: number;
  matching: number;
  binary: number;
  forbidden: number;
  unreadable: number;
  /** Longer than what is read of a file. */
  large: number;
  /** Why not everything was searched; null: it was. */
  stopped: string | null;
}

/**
 * Searches files in the order of their paths and adds what is found to a list, until that is full.
 * @throws ToolRefusal when the expression takes too long
 */
export async function grepFiles(wanted: GrepWanted, found: BoundedList): Promise<GrepCount> {
  const { root, start, signal } = wanted;
  const count: GrepCount = {
    searched: 0,
    matching: 0,
    binary: 0,
    forbidden: 0,
    unreadable: 0,
    large: 0,
    stopped: null,
  };
  const walk = new FolderWalk({
    root,
    start: start.path,
    isIgnoredWanted: wanted.isIgnoredWanted,
    timeoutMs: TIME_LIMIT_MS,
    signal,
  });
  const timed = new TimedWork();
  const search = async (file: WorkPath, opened: OpenedFile): Promise<void> => {
    try {
      if (opened.sizeBytes > wanted.maxReadBytes) count.large += 1;
      let isMatching = false;
      const outcome = await searchFile(opened, {
        pattern: wanted.pattern,
        timed,
        maxBytes: wanted.maxReadBytes,
        isOver: () => walk.isOver || signal.aborted,
        onFound: ({ line, text }) => {
          const path = showPath(file.path);
          const isAdded = found.add(wanted.areFilesOnly ? path : `${path}:${line}: ${text}`);
          isMatching ||= isAdded;
          return isAdded && !wanted.areFilesOnly;
        },
      });
      if (outcome === 'too_slow') {
        throw new ToolRefusal(
          `The pattern takes too long to match in ${showPath(file.path)}: make it simpler, or set literal to true.`,
        );
      }
      count[outcome] += 1;
      if (isMatching) count.matching += 1;
    } finally {
      await opened.handle.close();
    }
  };
  if (!start.isFolder) {
    await search(start, await openFile(root, start));
  } else {
    for await (const { path, isLink } of walk.files()) {
      if (isLink || !wanted.isWanted(path)) continue;
      if (wanted.isForbidden(path)) {
        count.forbidden += 1;
        continue;
      }
      const file = { absolute: join(root, path), path };
      const opened = await openIfReadable(root, file);
      if (opened === null) count.unreadable += 1;
      else await search(file, opened);
      if (found.isFull) break;
    }
  }
  count.unreadable += walk.unreadable;
  count.stopped = walk.stopped;
  signal.throwIfAborted();
  return count;
}

async function openIfReadable(root: string, file: WorkPath): Promise<OpenedFile | null> {
  try {
    return await openFile(root, file);
  } catch (error) {
    if (error instanceof ToolRefusal) return null;
    throw error;
  }
}
