import { useEffect, useRef, useState } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import type { Schemas } from '../../../client/client.ts';
import { withValue } from '../../forms/pointers.ts';
import { Notice } from '../../parts/notice.tsx';
import { useAction } from '../../shell/action.tsx';
import { api, ask, type Failure } from '../../shell/api.ts';
import { useDraft } from '../../shell/draft.ts';
import { Loaded, useLoad } from '../../shell/load.tsx';
import { type Place, ServicePage, work } from '../../shell/office.tsx';
import { go, place } from '../../shell/place.ts';
import { texts } from '../../texts/texts.ts';
import { TypeForm } from './form.tsx';
import { versionIn } from './type-value.ts';
import { readType, typesPage } from './types.tsx';

type Change = Schemas['CredentialTypeContent'] & { version: number };

interface ChangeProps {
  service: Place;
  id: string;
}

/** Publishes a new version of a type. */
export const ChangeTypePage = () => {
  const { id = '' } = useRoute().params;
  return (
    <ServicePage title={texts().types.change} type="issuer2" actions={['credential-type-update']}>
      {(service) => <Start key={service.target} service={service} id={decodeURIComponent(id)} />}
    </ServicePage>
  );
};

const Start = (props: ChangeProps) => {
  const loading = useLoad(async () => {
    const read = await readType(props.service.target, props.id);
    return read.ok ? { ok: true as const, data: contentOf(read.data) } : read;
  });
  return <Loaded of={loading}>{(initial) => <Attempts {...props} initial={initial} />}</Loaded>;
};

/** What is written of a type, with its version. */
function contentOf(type: Schemas['CredentialTypeElement']): Change {
  const { version, display, claims, card, formats, vct, doctype, namespace, validityDays, revocable } = type;
  return { version, display, claims, card, formats, vct, doctype, namespace, validityDays, revocable };
}

/** The editor, begun anew with the same value when it replaces another version. */
const Attempts = ({ initial, ...props }: ChangeProps & { initial: Change }) => {
  const draft = useDraft<unknown>(place.value.url, initial);
  const [attempt, setAttempt] = useState(0);
  const take = (version: number): void => {
    draft.set(withValue(draft.value, ['version'], version));
    setAttempt(attempt + 1);
  };
  return <Editor key={attempt} {...props} draft={draft} before={initial} take={take} isAgain={attempt > 0} />;
};

interface EditorProps extends ChangeProps {
  draft: ReturnType<typeof useDraft<unknown>>;
  before: Change;
  /** Replaces another version. */
  take(version: number): void;
  isAgain: boolean;
}

const Editor = ({ service, id, draft, before, take, isAgain }: EditorProps) => {
  const t = texts().types;
  const path = { target: service.target, typeId: id };
  const body = draft.value as Change;
  const action = useAction(
    () => work(ask(api.PUT('/v2/{target}/issuer-service-api/credential-types/{typeId}', { params: { path }, body }))),
    () => {
      draft.forget();
      go(typesPage(`types/${id}`, { published: 'yes' }));
    },
  );
  const known = isOutdated(action.failure)
    ? { errors: [{ message: t.outdated }], said: <Outdated service={service} id={id} take={take} /> }
    : {};
  return (
    <TypeForm service={service} draft={draft} action={action} button={t.publish} before={before} {...known}>
      <Plan next={versionIn(draft.value) + 1} isAgain={isAgain} />
    </TypeForm>
  );
};

/** What publishing does. */
const Plan = ({ next, isAgain }: { next: number; isAgain: boolean }) => {
  const t = texts().types;
  const plan = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isAgain) plan.current?.focus();
  }, []);
  return (
    <div ref={plan} tabIndex={-1}>
      <Notice kind="information" title={t.becomes(next)}>
        <p>{t.becomesText}</p>
      </Notice>
    </div>
  );
};

const isOutdated = (failure: Failure | undefined): boolean =>
  failure?.kind === 'refused' &&
  failure.status === 409 &&
  failure.problem?.details?.some(({ path }) => path === '/body/version') === true;

/** Another change was faster: what was typed stays, and is published in its place or not. */
const Outdated = ({ service, id, take }: ChangeProps & Pick<EditorProps, 'take'>) => {
  const t = texts().types;
  const loading = useLoad(() => readType(service.target, id));
  return (
    <Loaded of={loading}>
      {({ version }) => (
        <>
          <p>{t.outdatedText(version)}</p>
          <div class="actions">
            <a class="button" href={typesPage(`types/${id}`)}>
              {t.showVersion(version)}
            </a>
            <button type="button" onClick={() => take(version)}>
              {t.replace(version)}
            </button>
          </div>
        </>
      )}
    </Loaded>
  );
};
