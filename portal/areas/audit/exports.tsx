import { useState } from 'preact/hooks';
import { save } from '../../parts/save.ts';
import { ActionButton, useAction } from '../../shell/action.tsx';
import { api, ask } from '../../shell/api.ts';
import { work } from '../../shell/office.tsx';
import { FailureNotice } from '../../shell/states.tsx';
import { texts } from '../../texts/texts.ts';
import { csvOf } from './export.ts';
import { filterOf } from './filter.tsx';

/** All events that the list would show, as a stream of lines. */
const readAll = (target: string | undefined) => {
  const query = filterOf();
  const stream = { parseAs: 'stream' } as const;
  return target === undefined
    ? api.GET('/v1/admin/audit/events/export', { params: { query }, ...stream })
    : api.GET('/v1/{target}/audit-api/events/export', { params: { path: { target }, query }, ...stream });
};

/** The events that were searched for as a file: as lines of JSON with all members, or as a table for spreadsheets. */
export const Exports = ({ target }: { target: string | undefined }) => {
  const t = texts().audit;
  const [count, setCount] = useState(0);
  const exporting = (kind: 'csv' | 'ndjson') => async () => {
    setCount(0);
    const outcome = await work(ask(readAll(target)));
    if (!outcome.ok || !outcome.data) return outcome;
    const stream: ReadableStream<Uint8Array> = outcome.data;
    const file = kind === 'csv' ? await csvOf(stream, setCount) : await new Response(stream).blob();
    save(file, `${target ?? 'installation'}-events.${kind}`);
    return outcome;
  };
  const csv = useAction(exporting('csv'), () => undefined);
  const lines = useAction(exporting('ndjson'), () => undefined);
  const failed = [csv, lines].find(({ failure }) => failure);
  return (
    <section>
      <h2>{t.export}</h2>
      <p>{t.exportText}</p>
      {failed?.failure ? <FailureNotice failure={failed.failure} again={failed.run} /> : null}
      <div class="actions">
        <ActionButton action={csv} text={t.csv} />
        <ActionButton action={lines} text={t.ndjson} />
      </div>
      <p role="status">{count > 0 ? t.exported(count) : null}</p>
    </section>
  );
};
