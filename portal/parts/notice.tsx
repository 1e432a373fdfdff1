import type { ComponentChildren } from 'preact';

interface NoticeProps {
  kind: 'information' | 'good' | 'bad' | 'warning';
  title?: string;
  /** `alert` for failures, `status` for outcomes: both are read out when they appear. */
  role?: 'alert' | 'status';
  children?: ComponentChildren;
}

/** A text apart from the others. */
export const Notice = ({ kind, title, role, children }: NoticeProps) => (
  <div class={`notice ${kind}`} role={role}>
    {title === undefined ? null : <h2>{title}</h2>}
    {children}
  </div>
);
