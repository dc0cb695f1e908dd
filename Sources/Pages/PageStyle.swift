extension CrashPage {
  /// How pages look: one column, light or dark as the reader's system is.
  ///
  /// No colour carries a meaning alone.
  package static let style = """
    :root{--ground:#fbfbf9;--card:#fff;--ink:#1c1f23;--soft:#5d6570;--line:#dcdfe3;--good:#14693a;--goodground:#e2f3e8;
    --bad:#a5221b;--badground:#fbe5e3;--part:#7d5400;--partground:#fbefd2;--new:#2563a8;--earlier:#7aa7d6;--old:#8a9099;
    --zero:#e9e2f5;--zeroink:#5b3b94}
    @media (prefers-color-scheme:dark){:root{--ground:#14171a;--card:#1c2024;--ink:#e6e8ea;--soft:#9ea7b1;--line:#343a41;
    --good:#6fce93;--goodground:#16311f;--bad:#ff8f86;--badground:#3d1a18;--part:#f0c063;--partground:#35290f;
    --new:#5b9be0;--earlier:#2f5680;--old:#5c636c;--zero:#33284a;--zeroink:#c9b3f2}}
    *{box-sizing:border-box}
    body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",
    "DejaVu Sans",sans-serif;overflow-wrap:anywhere}
    main{max-width:56rem;margin:0 auto;padding:1.5rem 1rem 3rem}
    h1{font-size:1.6rem;line-height:1.25;margin:0 0 .75rem}
    h2{font-size:1.2rem;line-height:1.35;margin:0 0 .25rem}
    h3{font-size:.8rem;letter-spacing:.05em;text-transform:uppercase;color:var(--soft);margin:1.4rem 0 .4rem}
    p{margin:.3rem 0}ul,ol{list-style:none;margin:0;padding:0}
    .kind,.count{color:var(--soft)}
    .verdict{padding:.6rem .9rem;border-left:.3rem solid var(--soft);background:var(--card);border-radius:.2rem}
    .verdict.good{border-color:var(--good);background:var(--goodground)}
    .verdict.failing{border-color:var(--bad);background:var(--badground)}
    .verdict.unknown{border-color:var(--part);background:var(--partground)}
    section{margin-top:1.5rem}
    .finding,.fix{background:var(--card);border:1px solid var(--line);border-radius:.5rem;padding:1.1rem 1.2rem}
    .fix{border-color:var(--good);background:var(--goodground)}
    h2 .number{display:inline-block;min-width:1.7rem;padding:0 .4rem;border-radius:1rem;background:var(--bad);
    color:var(--card);text-align:center;font-size:1rem}
    code,pre,.what,.said,.place{font-family:ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace;font-size:.875rem}
    pre{white-space:pre-wrap;margin:.3rem 0;padding:.7rem .9rem;border:1px solid var(--line);border-radius:.3rem;
    background:var(--ground)}
    .timeline{border-left:2px solid var(--line);margin-left:.7rem}
    .timeline li{display:grid;grid-template-columns:1.5rem 3.2rem 1fr auto;gap:.3rem;align-items:baseline;
    padding:.15rem 0;margin-left:-.75rem}
    .timeline .mark{width:1.4rem;height:1.4rem;line-height:1.4rem;border-radius:50%;text-align:center;font-size:.85rem;
    background:var(--goodground);color:var(--good)}
    .place{color:var(--soft)}.word{font-size:.8rem;color:var(--good)}
    .timeline .partly .mark{background:var(--partground);color:var(--part)}.partly .word{color:var(--part)}
    .timeline .lost .mark{background:var(--badground);color:var(--bad)}.lost .word{color:var(--bad)}
    .lost .what{color:var(--bad)}
    .timeline .crash .mark{background:var(--ink);color:var(--ground)}.crash .what{font-weight:600}
    .why{margin-top:.9rem}
    figure{margin:.4rem 0 .6rem}figcaption{margin-bottom:.25rem}
    .blocks{display:flex;flex-wrap:wrap;gap:2px}
    .blocks li{flex:1 1 1.5rem;min-width:1.5rem;max-width:100%;height:2rem;display:flex;align-items:center;
    justify-content:center;gap:.2rem;border-radius:.15rem;font-weight:600;font-size:.85rem}
    .key{display:inline-block;width:1.4rem;text-align:center;border-radius:.15rem;font-weight:600;font-size:.85rem}
    .new{background:var(--new);color:#fff}.earlier{background:var(--earlier);color:var(--ink)}
    .old{background:var(--old);color:#fff}
    .zeros{background:var(--zero);color:var(--zeroink);border:1px solid var(--zeroink)}
    .torn{background:linear-gradient(90deg,var(--new) 50%,var(--old) 50%);color:#fff}
    .missing{border:1px dashed var(--bad);color:var(--bad)}
    .empty{color:var(--bad)}
    .legend{display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;font-size:.85rem;color:var(--soft)}
    .models{display:flex;flex-wrap:wrap;gap:.35rem}
    .models li{border:1px solid var(--line);border-radius:1rem;padding:.05rem .7rem;font-size:.85rem}
    .models .possible{border-color:var(--bad);background:var(--badground);color:var(--bad)}
    .models .impossible{color:var(--soft)}.models .mark{margin-right:.3rem}
    .unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
    .said li{padding:.1rem .5rem}.said .bad{background:var(--badground);color:var(--bad);border-radius:.2rem}
    .facts{display:grid;grid-template-columns:auto 1fr;gap:.15rem 1rem;margin:1.2rem 0 0;font-size:.9rem}
    .facts dt{color:var(--soft)}.facts dd{margin:0}
    .notes li{padding:.2rem 0;color:var(--soft);font-size:.9rem}
    .scrolls{overflow-x:auto}
    table{border-collapse:collapse;width:100%;font-size:.9rem}
    th,td{text-align:left;padding:.3rem .8rem .3rem 0;border-bottom:1px solid var(--line);font-weight:400}
    thead th{color:var(--soft)}td.number,thead th{padding-right:1.2rem}td.number,thead th:nth-child(2),thead th:nth-child(3){text-align:right}
    td.bad{color:var(--bad);font-weight:600}
    @media (max-width:30rem){main{padding:1rem .7rem 2rem}.finding,.fix{padding:.9rem .8rem}
    .timeline li{grid-template-columns:1.5rem 2.4rem 1fr auto}.facts{grid-template-columns:1fr}.facts dd{margin-bottom:.4rem}}
    @media print{body{background:#fff}.finding{break-inside:avoid}}
    """
}
