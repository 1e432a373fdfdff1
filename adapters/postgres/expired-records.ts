import type { Clock } from '../../ports/system.ts';
import type { PostgresConnection } from './postgres-connection.ts';
import { deleteExpired } from './statements.ts';

/** Records that one step deletes of each table. */
const STEP_ROWS = 256;
/** The pause after a step that left some, and after one that found few. */
const PAUSE_MS = { busy: 50, idle: 1000 };

const STATEMENTS = [deleteExpired('records'), deleteExpired('listed_records')];

/** Deletes expired records in small steps. */
export class ExpiredRecords {
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(
    private readonly link: PostgresConnection,
    private readonly clock: Clock,
  ) {}

  /** Runs steps until `stop`; they do not keep the process alive. */
  start(): void {
    this.#after(PAUSE_MS.idle);
  }

  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #after(ms: number): void {
    if (this.#isOver) return;
    this.#timer = setTimeout(async () => this.#after((await this.#step()) ? PAUSE_MS.busy : PAUSE_MS.idle), ms).unref();
  }

  /** Whether there may be more; a step that fails is repeated later. */
  async #step(): Promise<boolean> {
    let isFull = false;
    try {
      for (const statement of STATEMENTS) {
        const { rowCount } = await this.link.run(statement, [this.clock.now(), STEP_ROWS]);
        isFull ||= (rowCount ?? 0) >= STEP_ROWS;
      }
    } catch {
      return false;
    }
    return isFull;
  }
}
