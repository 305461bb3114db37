"""The games as environments of researchers' libraries; each module needs the extra that bears its name."""
