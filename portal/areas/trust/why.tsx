import { useState } from 'preact/hooks';
import type { Schemas } from '../../../client/client.ts';
import { TextField } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useAction } from '../../shell/action.tsx';
import { api, ask, type Outcome } from '../../shell/api.ts';
import { Form } from '../../shell/form.tsx';
import { may, type Office, type Place, work } from '../../shell/office.tsx';
import { place } from '../../shell/place.ts';
import { texts } from '../../texts/texts.ts';
import { names } from './issuers.ts';

type Entry = Schemas['TrustedIssuerElement'];

/** What speaks for or against an issuer. */
interface Found {
  asked: string;
  entry?: Entry;
  /** Whether the list names DIDs or addresses at all: before it does, issuers without certificates need no entry. */
  namesIssuers: boolean;
  /** Verifiers of the unit that work with the list, and those that do not. */
  using: string[];
  others: string[];
}

const PAGE = 100;

/** The whole list: a registry has at most 1,000 entries that count. */
async function allEntries(target: string): Promise<Outcome<Entry[]>> {
  const all: Entry[] = [];
  for (;;) {
    const query = { limit: String(PAGE), offset: String(all.length) };
    const page = await ask(
      api.GET('/v1/{target}/trust-registry-api/issuers/list', { params: { path: { target }, query } }),
    );
    if (!page.ok) return page;
    all.push(...page.data);
    if (page.data.length < PAGE) return { ok: true, data: all };
  }
}

async function explain(asked: string, { target }: Place, { below }: Office): Promise<Outcome<Found>> {
  const listed = await allEntries(target);
  if (!listed.ok) return listed;
  const found: Found = {
    asked,
    entry: listed.data.find((entry) => names(entry, asked)),
    namesIssuers: listed.data.some(({ type }) => type !== 'certificate'),
    using: [],
    others: [],
  };
  for (const verifier of below.filter((one) => one.type === 'verifier2' && may(one, 'resource-view'))) {
    const params = { path: { target: verifier.target } };
    const used = await ask(api.GET('/v1/{target}/resource-api/dependencies/list', { params }));
    if (used.ok) (used.data.includes(target) ? found.using : found.others).push(verifier.target);
  }
  return { ok: true, data: found };
}

interface WhyProps {
  service: Place;
  office: Office;
  version: number;
}

/** Says why an issuer is believed or is not. */
export const Why = ({ service, office, version }: WhyProps) => {
  const t = texts().trust;
  const [asked, setAsked] = useState(place.value.query.issuer ?? '');
  const [found, setFound] = useState<Found & { version: number }>();
  const action = useAction(
    () => work(explain(asked.trim(), service, office)),
    (answer) => setFound({ ...answer, version }),
  );
  return (
    <section>
      <h2>{t.why}</h2>
      <Form action={action} button={t.whyButton}>
        <TextField id="asked" label={t.asked} hint={t.askedHint} value={asked} onValue={setAsked} isCode />
      </Form>
      {found && found.version === version ? <Reasons found={found} /> : null}
    </section>
  );
};

const Reasons = ({ found: { asked, entry, namesIssuers, using, others } }: { found: Found }) => {
  const t = texts().trust;
  const isCertificate = asked.includes('BEGIN CERTIFICATE');
  const reasons = [
    entry ? t.isListed : isCertificate ? t.certificateNotListed : namesIssuers ? t.notListed : t.noneListed,
    ...(entry?.credentialTypes ? [t.onlyFor(entry.credentialTypes.join(', '))] : []),
    ...(using.length === 0 && others.length > 0 ? [t.unused] : []),
  ];
  return (
    <Notice kind="information" title={entry ? t.believedTitle : t.notBelievedTitle} role="status">
      {reasons.map((reason) => (
        <p key={reason}>{reason}</p>
      ))}
      {others.length === 0 ? null : (
        <>
          <p>{t.notUsing}</p>
          <ul translate={false}>
            {others.map((target) => (
              <li key={target}>{target}</li>
            ))}
          </ul>
        </>
      )}
    </Notice>
  );
};
