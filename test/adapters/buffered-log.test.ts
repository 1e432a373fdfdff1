import { expect } from 'chai';
import { bufferLog } from '../../adapters/log/buffered-log.ts';
import type { Log } from '../../ports/log.ts';

describe('holdLog', () => {
  const lines: unknown[] = [];
  const write = (level: keyof Log) => (message: string, fields?: object) => void lines.push([level, message, fields]);
  const sink: Log = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
  beforeEach(() => void lines.splice(0));

  it('buffers lines until they are released in order; writes later lines at once', () => {
    const { log, release } = bufferLog(sink);
    log.warn('first', { a: 1 });
    log.error('second');
    expect(lines).to.deep.equal([]);
    release();
    log.info('third');
    release();
    expect(lines).to.deep.equal([
      ['warn', 'first', { a: 1 }],
      ['error', 'second', undefined],
      ['info', 'third', undefined],
    ]);
  });

  it('buffers at most 1000 lines', () => {
    const { log, release } = bufferLog(sink);
    for (let i = 0; i < 1500; i++) log.debug(String(i));
    release();
    expect(lines).to.have.length(1000);
    expect(lines.at(-1)).to.deep.equal(['debug', '999', undefined]);
  });
});
